import { go } from "@codemirror/lang-go";

export default go();
