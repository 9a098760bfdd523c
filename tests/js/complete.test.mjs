/** What `@` and `/` in a prompt mean, what completes them, and how well a few letters name a path. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { match, rank } from "../../static/js/lib/fuzzy.js";
import { Commands, parse } from "../../static/js/turn/commands.js";
import { chunks } from "../../static/js/turn/complete.js";
import { complete, mentioned, tokenAt, unmentioned } from "../../static/js/turn/mentions.js";
import { suggestions } from "../../static/js/turn/suggestions.js";

const file = (path, more = {}) => ({ file: `id of ${path}`, path, ...more });
const best = (query, paths) => rank(query, paths, (path) => path, 9).map(({ item }) => item);

test("letters name a path by its parts, the file's own name first", () => {
  const paths = ["static/pad.js", "tests/test_parse.py", "parse.py", "src/tools/pa.py"];
  assert.equal(best("tpa", paths)[0], "tests/test_parse.py");
  assert.equal(best("parse", paths)[0], "parse.py");
  assert.equal(best("PARSE", paths)[0], "parse.py");
  assert.deepEqual(best("zz", paths), []);
  assert.deepEqual(best("", paths), paths);
  assert.deepEqual(best("esrap", paths), []);
});

test("the letters that were typed are marked where they count most", () => {
  assert.deepEqual(match("tp", "tests/test_parse.py")?.marks, [6, 11]);
  assert.deepEqual(match("aa", "banana")?.marks, [1, 3]);
  assert.deepEqual(match("fb", "lib/fooBar.js")?.marks, [4, 7]);
  assert.equal(match("aaa", "aa"), null);
  assert.equal(match("", "x")?.score, 0);
});

test("naming a file among thousands takes no time one would notice", () => {
  const paths = Array.from({ length: 2_000 }, (_, i) => `packages/part${i}/src/module_${i}.ts`);
  const begun = performance.now();
  assert.equal(best("part1234mod", paths)[0], "packages/part1234/src/module_1234.ts");
  assert.ok(performance.now() - begun < 1_000);
});

test("a token is what the caret is in", () => {
  assert.deepEqual(tokenAt("see @app", 8), { kind: "mention", from: 4, to: 8, query: "app" });
  assert.deepEqual(tokenAt("see @app.py now", 6), {
    kind: "mention",
    from: 4,
    to: 11,
    query: "a",
  });
  assert.deepEqual(tokenAt("(@", 2), { kind: "mention", from: 1, to: 2, query: "" });
  assert.equal(tokenAt("mail ann@example.org", 20), null);
  assert.equal(tokenAt("see @app now", 12), null);
  assert.deepEqual(tokenAt("/un", 3), { kind: "command", from: 0, to: 3, query: "un" });
  assert.equal(tokenAt("say /un", 7), null);
  assert.equal(tokenAt("/new a", 6), null);
});

test("completing replaces the token and leaves one blank behind it", () => {
  const token = tokenAt("see @ap and go", 7);
  assert.deepEqual(complete("see @ap and go", token, "@app.py"), {
    text: "see @app.py and go",
    caret: 12,
  });
  assert.deepEqual(complete("@a", tokenAt("@a", 2), "@app.py"), { text: "@app.py ", caret: 8 });
});

test("a file is mentioned while its path stands in the text, the longest that fits", () => {
  const files = [file("app.py"), file("app.pyc"), file("my file.txt"), file("tests/app.py")];
  const paths = (text) => mentioned(text, files).map(({ path }) => path);
  assert.deepEqual(paths("look at @app.py."), ["app.py"]);
  assert.deepEqual(paths("@app.pyc, @app.py and @app.py"), ["app.pyc", "app.py"]);
  assert.deepEqual(paths("in (@my file.txt)"), ["my file.txt"]);
  assert.deepEqual(paths("@tests/app.py"), ["tests/app.py"]);
  assert.deepEqual(paths("@app.py/x @app.pyx me@app.py app.py @gone.py"), []);
  assert.deepEqual(paths("@app.py.bak"), []);
});

test("taking a mention away leaves its words; a renamed file is mentioned by its new name", () => {
  const files = [file("app.py"), file("app.pyc")];
  assert.equal(
    unmentioned("@app.py and @app.pyc and @app.py", files[0], files),
    "app.py and @app.pyc and app.py",
  );
  assert.equal(unmentioned("see @app.py.", files[0], files, "@main.py"), "see @main.py.");
});

test("commands are found at the start, with what follows them, when they can be used", () => {
  const commands = new Commands();
  let usable = true;
  const off = commands.add({ name: "undo", about: "", run() {}, ready: () => usable });
  commands.add({ name: "new", about: "", takes: "path", run() {} });
  assert.deepEqual(parse(" /new a b\nc "), { name: "new", rest: "a b\nc" });
  assert.equal(parse("/api/users fails"), null);
  assert.equal(parse("say /new"), null);
  assert.equal(commands.find("/new tools/a.py")?.rest, "tools/a.py");
  assert.equal(commands.find("/newer"), null);
  assert.deepEqual(
    commands.usable.map(({ name }) => name),
    ["new", "undo"],
  );
  usable = false;
  assert.equal(commands.find("/undo"), null);
  assert.throws(() => commands.add({ name: "new", about: "", run() {} }), RangeError);
  assert.throws(() => commands.add({ name: "New file", about: "", run() {} }), RangeError);
  off();
  usable = true;
  assert.equal(commands.find("/undo"), null);
});

test("what completes a token: files and people by fit, commands by how they begin", () => {
  const known = {
    files: [file("app.py"), file("logo.png", { binary: true }), file("tests/test_ann.py")],
    people: [
      { user: "1", name: "Ann" },
      { user: "2", name: "Ben" },
      { user: "2", name: "Ben" },
    ],
    commands: [
      { name: "new", about: "Make a file", takes: "path" },
      { name: "undo", about: "Take back" },
    ],
    you: "1",
  };
  const words = (text) => suggestions(tokenAt(text, text.length), known).map(({ word }) => word);
  assert.deepEqual(words("@"), ["@app.py", "@tests/test_ann.py", "@Ben"]);
  assert.deepEqual(words("@be"), ["@Ben"]);
  assert.deepEqual(words("@logo"), []);
  assert.deepEqual(words("/"), ["/new", "/undo"]);
  assert.deepEqual(words("/N"), ["/new"]);
  const [make] = suggestions(tokenAt("/n", 2), known);
  assert.deepEqual([make.label, make.detail, make.runs], ["/new path", "Make a file", false]);
});

test("a label in runs of marked and unmarked letters", () => {
  const runs = [...chunks("abcd", new Set([1, 2]))];
  assert.deepEqual(
    runs.map(({ text, marked }) => [text, marked]),
    [
      ["a", false],
      ["bc", true],
      ["d", false],
    ],
  );
  assert.deepEqual([...chunks("", new Set())], []);
});
