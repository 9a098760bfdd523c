import { StreamLanguage } from "@codemirror/language";
import { cmake } from "@codemirror/legacy-modes/mode/cmake";

export default StreamLanguage.define(cmake);
