// Everything the page may take from CodeMirror, as one module: whole packages, so that adding a feature to
// the editor needs no new bundle. Every package must come from this one file, because CodeMirror compares
// classes by identity and a second copy of @codemirror/state breaks each extension that meets the first.

export * from "@codemirror/autocomplete";
export * from "@codemirror/collab";
export * from "@codemirror/commands";
export * from "@codemirror/lang-css";
export * from "@codemirror/lang-html";
export * from "@codemirror/lang-javascript";
export * from "@codemirror/lang-json";
export * from "@codemirror/lang-markdown";
export * from "@codemirror/lang-python";
export * from "@codemirror/lang-yaml";
export * from "@codemirror/language";
export * from "@codemirror/lint";
export * from "@codemirror/search";
export * from "@codemirror/state";
export * from "@codemirror/view";
export * from "@lezer/common";
export * from "@lezer/highlight";
export * from "@lezer/lr";
export { basicSetup, minimalSetup } from "codemirror";

// Two names exist in two packages each; a star export would drop or misdirect them.

export { autoCloseTags } from "@codemirror/lang-html";
export {
  autoCloseTags as autoCloseJsxTags,
  localCompletionSource,
} from "@codemirror/lang-javascript";
export { localCompletionSource as pythonLocalCompletionSource } from "@codemirror/lang-python";
