/** Markdown to HTML, loaded when the first Markdown file is previewed. What comes out is shown in the sandboxed frame alone. */

import { MarkdownIt } from "../../vendor/markdown-it.js";

const markdown = new MarkdownIt({ html: true, linkify: true });

/** @param {string} text */
export default (text) => markdown.render(text);
