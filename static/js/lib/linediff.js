/** What differs between two texts, line by line. Pure. */

/** @typedef {{ kind: "same" | "gone" | "came", text: string }} Line */
/** @typedef {{ left: Line | null, right: Line | null }} Row lines that stand beside each other; null where there is none */

/** Above so many pairs of lines the middle is told as gone and come, whole: a person reads it no other way. */
const MOST_PAIRS = 1_000_000;

/** The lines of a text; a last line break begins no line. @param {string} text */
function linesOf(text) {
  if (!text) return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/**
 * Returns the lines of both texts in one list: those that stay, and where they differ those that went before those
 * that came.
 * @param {string} before
 * @param {string} after
 * @returns {Line[]}
 */
export function lineDiff(before, after) {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < fresh.length - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  )
    end += 1;
  const line = (/** @type {Line["kind"]} */ kind) => (/** @type {string} */ text) => ({
    kind,
    text,
  });
  return [
    ...old.slice(0, start).map(line("same")),
    ...middle(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...old.slice(old.length - end).map(line("same")),
  ];
}

/**
 * The longest common subsequence, by the table of its lengths.
 * @param {string[]} old
 * @param {string[]} fresh
 * @returns {Line[]}
 */
function middle(old, fresh) {
  const gone = (/** @type {string} */ text) => /** @type {Line} */ ({ kind: "gone", text });
  const came = (/** @type {string} */ text) => /** @type {Line} */ ({ kind: "came", text });
  if (!old.length || !fresh.length || old.length * fresh.length > MOST_PAIRS)
    return [...old.map(gone), ...fresh.map(came)];
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const skip = Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
      lengths[i * width + j] = old[i] === fresh[j] ? lengths[(i + 1) * width + j + 1] + 1 : skip;
    }
  }
  /** @type {Line[]} */
  const lines = [];
  /** Those that came since the last line that stays: they stand after those that went. @type {Line[]} */
  let held = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push(...held, { kind: "same", text: old[i] });
      held = [];
      i += 1;
      j += 1;
    } else if (
      j === fresh.length ||
      (i < old.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])
    ) {
      lines.push(gone(old[i++]));
    } else held.push(came(fresh[j++]));
  }
  return [...lines, ...held];
}

/**
 * Returns the same as two columns: what went stands beside what came in its place.
 * @param {string} before
 * @param {string} after
 * @returns {Row[]}
 */
export function sideBySide(before, after) {
  /** @type {Row[]} */
  const rows = [];
  /** The first row of the place that is being read which has nothing on its right yet. */
  let open = 0;
  for (const line of lineDiff(before, after)) {
    if (line.kind === "same") {
      rows.push({ left: line, right: line });
      open = rows.length;
    } else if (line.kind === "gone") rows.push({ left: line, right: null });
    else if (open < rows.length) rows[open++].right = line;
    else {
      rows.push({ left: null, right: line });
      open = rows.length;
    }
  }
  return rows;
}
