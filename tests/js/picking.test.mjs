/** Which of the chosen files are sent, without a browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { chosen, isTooMuch } from "../../static/js/pages/picking.js";

const file = (path, size = 1) => ({ name: path.split("/").at(-1), webkitRelativePath: path, size });

test("a folder's files keep their paths, files chosen one by one their names", () => {
  const one = { name: "a.txt", webkitRelativePath: "", size: 1 };
  const { picked, left } = chosen({ files: [one] }, { files: [file("app/d/b.txt")] });
  assert.deepEqual(
    picked.map(({ path }) => path),
    ["a.txt", "app/d/b.txt"],
  );
  assert.deepEqual(left, []);
});

test("what version control and tools keep for themselves is left out, and named once", () => {
  const paths = ["app/.git/HEAD", "app/.git/config", "app/w/node_modules/x.js", "app/.gitignore"];
  const { picked, left } = chosen({ files: paths.map((path) => file(path)) });
  assert.deepEqual(
    picked.map(({ path }) => path),
    ["app/.gitignore"],
  );
  assert.deepEqual(left, [".git", "node_modules"]);
});

test("nothing chosen is nothing", () => {
  assert.deepEqual(chosen({ files: null }), { picked: [], left: [] });
});

test("the limits are the server's", () => {
  const many = (count, size) =>
    Array.from({ length: count }, () => ({ path: "a", file: { size } }));
  assert.equal(isTooMuch(many(2000, 1)), false);
  assert.equal(isTooMuch(many(2001, 1)), true);
  assert.equal(isTooMuch(many(2, 10 * 1024 * 1024)), false);
  assert.equal(isTooMuch(many(2, 10 * 1024 * 1024 + 1)), true);
});
