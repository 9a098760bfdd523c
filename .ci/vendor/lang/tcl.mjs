import { StreamLanguage } from "@codemirror/language";
import { tcl } from "@codemirror/legacy-modes/mode/tcl";

export default StreamLanguage.define(tcl);
