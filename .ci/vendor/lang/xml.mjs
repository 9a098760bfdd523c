import { xml } from "@codemirror/lang-xml";

export default xml();
