import { StreamLanguage } from "@codemirror/language";
import { crystal } from "@codemirror/legacy-modes/mode/crystal";

export default StreamLanguage.define(crystal);
