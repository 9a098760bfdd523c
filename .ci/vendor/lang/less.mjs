import { less } from "@codemirror/lang-less";

export default less();
