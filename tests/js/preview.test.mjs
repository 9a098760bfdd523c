/** What a previewed page is made of: addresses, modules, and styles that the parser must not see. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { dataAddress } from "../../static/js/preview/bundle.js";
import { hideStyles, showStyles } from "../../static/js/preview/inert.js";
import { importMap, moduleName, renameImports } from "../../static/js/preview/modules.js";
import { entries, kindOf, resolve, typeOf } from "../../static/js/preview/paths.js";
import { promptFor } from "../../static/js/preview/preview.js";

test("an address means a file of the project, or nothing", () => {
  const table = [
    ["a.css", "index.html", "a.css"],
    ["./a.css", "web/index.html", "web/a.css"],
    ["../a.css", "web/index.html", "a.css"],
    ["/a.css", "web/deep/index.html", "a.css"],
    ["a.css?v=2#x", "index.html", "a.css"],
    ["a%20b.png", "index.html", "a b.png"],
    ["a%zz.png", "index.html", "a%zz.png"],
    ["../../a.css", "web/index.html", null],
    ["https://example.org/a.css", "index.html", null],
    ["//example.org/a.css", "index.html", null],
    ["javascript:alert(1)", "index.html", null],
    ["data:text/css,x", "index.html", null],
    ["#top", "index.html", null],
    ["", "index.html", null],
    ["./", "index.html", null],
  ];
  for (const [address, from, path] of table) assert.equal(resolve(address, from), path, address);
});

test("what can be shown comes with the likeliest first", () => {
  const paths = ["README.md", "logo.svg", "app.py", "web/about.html", "web/index.html", "x.html"];
  assert.deepEqual(entries(paths), [
    "web/index.html",
    "x.html",
    "web/about.html",
    "logo.svg",
    "README.md",
  ]);
  assert.equal(kindOf("a.html.py"), null);
  assert.equal(kindOf("constructor"), null);
  assert.equal(typeOf("A.PNG"), "image/png");
  assert.equal(typeOf("x.constructor"), "application/octet-stream");
});

test("modules find each other by names that an import map knows, line for line", () => {
  const text = [
    'import a from "./a.js";',
    "import { b,",
    "  c as d } from '../b.js';",
    'import * as e from "/e.js";',
    'import "./side.js";',
    'export { f } from "./f.js";',
    'export * from "./g.js";',
    'const h = await import("./h.js");',
    'import React from "react";',
    'import far from "https://example.org/x.js";',
    'const text = "from ./not.js";',
  ].join("\n");
  const renamed = renameImports(text, "src/main.js");
  assert.deepEqual(renamed.imports, [
    "src/a.js",
    "b.js",
    "e.js",
    "src/side.js",
    "src/f.js",
    "src/g.js",
    "src/h.js",
  ]);
  assert.equal(renamed.text.split("\n").length, text.split("\n").length);
  assert.ok(renamed.text.includes(`import a from "${moduleName("src/a.js")}"`));
  assert.ok(renamed.text.includes('from "react"'));
  assert.ok(renamed.text.includes('"https://example.org/x.js"'));
  assert.ok(renamed.text.includes('"from ./not.js"'));
});

test("an import map ends also when modules import each other, and tells what is missing", () => {
  const files = { "a.js": 'import "./b.js";', "b.js": 'import "./a.js"; import "./gone.js";' };
  const { imports, used, missing } = importMap(
    ["a.js"],
    (path) => files[path] ?? null,
    (text) => text,
  );
  assert.deepEqual(Object.keys(imports).sort(), [moduleName("a.js"), moduleName("b.js")]);
  assert.deepEqual([...used].sort(), ["a.js", "b.js"]);
  assert.deepEqual([...missing], ["gone.js"]);
});

test("styles pass the parser unseen, and scripts and comments as they are", () => {
  const html = [
    '<p title="a > b" style="color: red">x</p>',
    "<style media=print>p > b { color: red }</style>",
    "<script>const s = '<style>p{}</style>'; const t = '<p style=x>';</script>",
    '<!-- <style>q{}</style> <p style="x"> -->',
  ].join("\n");
  const hidden = hideStyles(html);
  assert.ok(!/<style/i.test(hidden.replace(/<script>[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, "")));
  assert.ok(!/<p[^>]* style=/.test(hidden.split("<script>const")[0]));
  assert.ok(hidden.includes("const s = '<style>p{}</style>'; const t = '<p style=x>';"));
  assert.equal(showStyles(hidden), html);
});

test("errors become a prompt that names the page, what happened and where", () => {
  const errors = [
    { level: "error", text: "Uncaught Error: boom\n at f", source: "src/app.js", line: 3 },
    { level: "error", text: "Unhandled rejection: no", source: "", line: 0 },
  ];
  assert.equal(
    promptFor("index.html", errors),
    "The preview of index.html shows these errors. Fix them:\n- Uncaught Error: boom (src/app.js:3)\n- Unhandled rejection: no",
  );
});

test("a source that is no address is shown as it came, since a frame may say anything", () => {
  const text = promptFor("a.html", [{ level: "error", text: "x", source: "100%.js", line: 1 }]);
  assert.ok(text.endsWith("- x (100%.js:1)"));
});

test("bytes of any length become a data address", () => {
  const bytes = new Uint8Array(100_000).fill(255);
  const address = dataAddress(bytes, "image/png");
  assert.ok(address.startsWith("data:image/png;base64,////"));
  assert.deepEqual(new Uint8Array(Buffer.from(address.split(",")[1], "base64")), bytes);
});
