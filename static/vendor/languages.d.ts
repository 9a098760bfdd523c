// Written by `make vendor` from package-lock.json; edit .ci/vendor/ instead.
import type { Extension } from "@codemirror/state";

export const LANGUAGES: Record<string, () => Promise<{ default: Extension }>>;
