import { cpp } from "@codemirror/lang-cpp";

export default cpp();
