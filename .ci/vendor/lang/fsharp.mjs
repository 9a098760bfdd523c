import { StreamLanguage } from "@codemirror/language";
import { fSharp } from "@codemirror/legacy-modes/mode/mllike";

export default StreamLanguage.define(fSharp);
