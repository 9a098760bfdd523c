import { php } from "@codemirror/lang-php";

export default php();
