import { java } from "@codemirror/lang-java";

export default java();
