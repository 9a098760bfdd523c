import { vue } from "@codemirror/lang-vue";

export default vue();
