// Written by `make vendor` from package-lock.json; edit .ci/vendor/ instead.
export { default as MarkdownIt } from "markdown-it";
