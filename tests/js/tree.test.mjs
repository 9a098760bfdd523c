/** The rows of the tree: folders in each other, what is open, and what a filter finds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Folders } from "../../static/js/editor/folders.js";
import { foldersOf, matching, rowsOf } from "../../static/js/editor/paths.js";
import { Kept } from "../../static/js/lib/kept.js";

const listed = (...paths) => paths.map((path) => ({ file: `id of ${path}`, path }));
const shape = (rows) =>
  rows.map(
    ({ kind, name, depth, count }) =>
      `${" ".repeat(depth)}${name}${kind === "folder" ? ` (${count})` : ""}`,
  );

test("folders come first, names in the order people count, and lone folders share a row", () => {
  const files = listed(
    "b.py",
    "test/x10.py",
    "test/x9.py",
    "a/b/c.py",
    "a/b/d/e.py",
    "z/y/x/w.txt",
  );
  assert.deepEqual(shape(rowsOf(files, () => true)), [
    "a/b (2)",
    " d (1)",
    "  e.py",
    " c.py",
    "test (2)",
    " x9.py",
    " x10.py",
    "z/y/x (1)",
    " w.txt",
    "b.py",
  ]);
  const closed = rowsOf(files, (folder) => folder === "a/b/");
  assert.deepEqual(shape(closed), ["a/b (2)", " d (1)", " c.py", "test (2)", "z/y/x (1)", "b.py"]);
  assert.deepEqual(closed[1], {
    kind: "folder",
    key: "a/b/d/",
    path: "a/b/d/",
    name: "d",
    depth: 1,
    open: false,
    count: 1,
  });
});

test("a filter finds what every word names, names before folders, short before long", () => {
  const files = listed("src/user/view.py", "src/view.py", "tests/views/test_user.py", "View.md");
  const found = (filter) => matching(files, filter).map(({ path }) => path);
  assert.deepEqual(found("view"), [
    "View.md",
    "src/view.py",
    "src/user/view.py",
    "tests/views/test_user.py",
  ]);
  assert.deepEqual(found("view user"), ["src/user/view.py", "tests/views/test_user.py"]);
  assert.deepEqual(found("nothing"), []);
  assert.deepEqual(found("tvu"), ["tests/views/test_user.py"], "a few letters do, as after @");
});

test("a small project shows all, a large one the folders of the file in the editor", () => {
  const stored = new Map();
  const storage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
  };
  const kept = () => new Kept("tree.7.slug", () => storage);
  const folders = new Folders(kept());
  folders.sized(20);
  assert.equal(folders.isOpen("a/"), true);
  folders.sized(2000);
  assert.equal(folders.isOpen("a/"), false);
  folders.reveal("a/b/c.py");
  assert.deepEqual(
    foldersOf("a/b/c.py").map((folder) => folders.isOpen(folder)),
    [true, true],
  );
  folders.set("a/", false);
  assert.equal(folders.isOpen("a/"), false);
  folders.set("z/", true);
  const again = new Folders(kept());
  again.sized(2000);
  assert.deepEqual(
    ["a/", "z/", "q/"].map((folder) => again.isOpen(folder)),
    [false, true, false],
  );
  again.reveal("a/x.py");
  assert.equal(again.isOpen("a/"), true, "going to a file shows where it is");
  stored.set("flint.tree.7.slug", '[["a/", 1], 3, null]');
  assert.doesNotThrow(() => new Folders(kept()));
});

test("2,000 files keep their places, and one of them is found", () => {
  const files = listed(
    ...Array.from({ length: 2000 }, (_, index) => `d${index % 40}/e${index % 7}/file${index}.py`),
  );
  assert.equal(rowsOf(files, () => true).filter(({ kind }) => kind === "file").length, 2000);
  assert.equal(matching(files, "file1999").length, 1);
});
