/** Moments as people read them. */

import { language, numberFormat } from "./i18n.js";

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/**
 * Returns how long before `now` a moment was, such as "5 minutes ago".
 * @param {Date} then
 * @param {Date} [now]
 */
export function relative(then, now = new Date()) {
  const seconds = Math.round((then.getTime() - now.getTime()) / 1000);
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(0, "second");
}

/**
 * Returns a moment with date, time and zone, for the tooltip beside a relative one.
 * @param {Date} then
 */
export function exact(then) {
  return new Intl.DateTimeFormat(language(), { dateStyle: "full", timeStyle: "long" }).format(then);
}

/**
 * Returns a short span such as "40 s" or "3 min", for a time that is left.
 * @param {number} seconds
 */
export function span(seconds) {
  const [value, unit] =
    seconds < 60
      ? [Math.max(1, Math.round(seconds)), "second"]
      : seconds < 3_600
        ? [Math.round(seconds / 60), "minute"]
        : [Math.round(seconds / 3_600), "hour"];
  const style = { style: "unit", unit: String(unit), unitDisplay: /** @type {const} */ ("short") };
  return numberFormat(/** @type {Intl.NumberFormatOptions} */ (style)).format(Number(value));
}
