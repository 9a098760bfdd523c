import { StreamLanguage } from "@codemirror/language";
import { coffeeScript } from "@codemirror/legacy-modes/mode/coffeescript";

export default StreamLanguage.define(coffeeScript);
