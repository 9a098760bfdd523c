import { StreamLanguage } from "@codemirror/language";
import { elm } from "@codemirror/legacy-modes/mode/elm";

export default StreamLanguage.define(elm);
