/**
 * A page's styles, hidden from the parser. Even a document without a window obeys the policy of the page that
 * parses it, which forbids inline styles: each one would be a complaint in the console. So style elements pass
 * through it as scripts of an unknown type, whose text is raw as well, and style attributes under another name.
 */

export const STYLE_TYPE = "text/flint-style";
const ATTRIBUTE = "data-flint-css";

/** Comments, scripts, style elements and tags, in which quotes may hold a ">". */
const PARTS =
  /<!--[\s\S]*?-->|<script\b[\s\S]*?<\/script\s*>|<style\b((?:[^"'>]|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/style\s*>|<[a-z](?:[^"'>]|"[^"]*"|'[^']*')*>/gi;
const HIDDEN = new RegExp(`<script type="${STYLE_TYPE}"([^>]*)>([\\s\\S]*?)</script>`, "g");

/** Returns the HTML with its styles hidden. @param {string} html */
export function hideStyles(html) {
  return html.replace(PARTS, (part, attributes, css) => {
    if (css !== undefined)
      return `<script type="${STYLE_TYPE}"${attributes}>${css.replaceAll(/<\/script/gi, "")}</script>`;
    if (/^<(!--|script\b)/i.test(part)) return part;
    return part.replace(/(\s)style(?=\s*=)/gi, `$1${ATTRIBUTE}`);
  });
}

/** Returns the HTML with its styles back. @param {string} html as an element's outerHTML has it */
export function showStyles(html) {
  return html
    .replaceAll(HIDDEN, (_all, attributes, css) => `<style${attributes}>${css}</style>`)
    .replaceAll(` ${ATTRIBUTE}=`, " style=");
}
