import { sql } from "@codemirror/lang-sql";

export default sql();
