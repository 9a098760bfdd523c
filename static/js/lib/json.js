/**
 * JSON as the wire wants it: ASCII only, so that half a surrogate pair survives and a frame's length in
 * characters is its length in bytes.
 */

const NOT_ASCII = /[\u007f-\uffff]/g;

/**
 * Returns `value` as JSON in which every character outside ASCII is escaped.
 * @param {unknown} value
 */
export function asciiJson(value) {
  return JSON.stringify(value).replace(
    NOT_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Returns how many bytes `text` takes inside a JSON string on the wire, quotes not counted.
 * @param {string} text
 */
export function encodedBytes(text) {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x7f) bytes += 6;
    else if (unit === 0x22 || unit === 0x5c) bytes += 2;
    // The short escapes are \b \t \n \f \r; the other controls are \u00XX.
    else if (unit < 0x20) bytes += unit >= 8 && unit <= 13 && unit !== 11 ? 2 : 6;
    else bytes += 1;
  }
  return bytes;
}
