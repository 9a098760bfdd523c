/** Small helpers for the DOM, so that no component writes HTML as text. */

/**
 * Returns the element with that id; a page without it is a mistake of ours.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new RangeError(`The page has no #${id}.`);
  return /** @type {T} */ (found);
}

/**
 * Returns a new element. Attributes that are null, undefined or false are left out; those named on… are
 * listeners; `true` gives an empty attribute. There is no way to pass HTML or a style.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "style")
      throw new RangeError("The Content-Security-Policy forbids style attributes.");
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child || child === "") element.append(child);
  return element;
}

/**
 * Returns a copy of the first element inside `<template id>`.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function fromTemplate(id) {
  const template = /** @type {HTMLTemplateElement} */ (byId(id));
  const first = template.content.firstElementChild;
  if (!first) throw new RangeError(`The template #${id} is empty.`);
  return /** @type {HTMLElement} */ (first.cloneNode(true));
}

/**
 * Returns the first element inside `root` that matches, or null.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function find(root, selector) {
  return root.querySelector(selector);
}

/**
 * Puts `text` into `element` unless it stands there already, so that nothing is laid out for nothing.
 * @param {HTMLElement | null} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * Makes `elements` the children of `list`, in that order. What stands in its place already is not touched, so it
 * keeps the keyboard's focus.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} elements
 */
export function arrange(list, elements) {
  const stay = new Set(/** @type {Element[]} */ (elements));
  for (const child of [...list.children]) if (!stay.has(child)) child.remove();
  for (const [index, element] of elements.entries()) {
    const there = list.children[index] ?? null;
    if (there !== element) list.insertBefore(element, there);
  }
}
