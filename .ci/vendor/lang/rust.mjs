import { rust } from "@codemirror/lang-rust";

export default rust();
