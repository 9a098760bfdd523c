import { sass } from "@codemirror/lang-sass";

export default sass({ indented: true });
