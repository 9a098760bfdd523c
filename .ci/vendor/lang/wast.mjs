import { StreamLanguage } from "@codemirror/language";
import { wast } from "@codemirror/legacy-modes/mode/wast";

export default StreamLanguage.define(wast);
