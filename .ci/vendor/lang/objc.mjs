import { StreamLanguage } from "@codemirror/language";
import { objectiveC } from "@codemirror/legacy-modes/mode/clike";

export default StreamLanguage.define(objectiveC);
