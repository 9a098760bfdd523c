"""Which definition a small model gets when the prompt names it: a table over languages."""

from __future__ import annotations

import random
import time

import pytest

from webapp.engine.prompt import choose_region, lines_of

FILLER = "".join(f"filler {i}\n" for i in range(50)) + "\n"

PYTHON = '''
import re


class Stack:
    """Last in, first out."""

    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()


class Queue:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)


# Halves it.
@cache
async def divide(
    a: int,
    b: int,
) -> float:
    """Divide.

Not indented.
    """
    return a / b


LIMITS = {
    "a": 1,
}

add = lambda a, b: a + b


def main():
    print(divide(4, 2))
'''
TYPESCRIPT = """
export interface User {
  name: string;
}

type Shape =
  | "a"
  | "b";

export const API_URL = "http://x";

export default class Cart extends Base {
  #total = 0;

  constructor(private user: User) {
    super();
  }

  async addItem(item: Item, count = 1): Promise<void> {
    if (count) {
      this.#total += count;
    }
  }

  get total(): number {
    return this.#total;
  }
}

const formatPrice = async (
  price: number,
): Promise<string> => {
  return `${price}`;
};

export const double = (n: number): number => n * 2;

function* walk(tree) {
  yield tree;
}

module.exports.load = function (path) {
  return path;
};
"""
GO = """
type Server struct {
\tport int
}

func (s *Server) Start(ctx context.Context) error {
\treturn nil
}

func NewServer(port int) *Server {
\treturn &Server{port: port}
}
"""
RUST = """
pub struct Point {
    x: f64,
}

impl Point {
    pub fn length(&self) -> f64 {
        self.x
    }
}

impl<T: Debug> fmt::Display for Point {
    fn fmt(&self) -> fmt::Result {
        Ok(())
    }
}

macro_rules! square {
    ($x:expr) => { $x * $x };
}

pub(crate) async fn run<T>(value: T)
where
    T: Send,
{
    drop(value);
}
"""
JAVA = """
public final class Account {
    private int balance;

    public Account(int balance) {
        this.balance = balance;
    }

    @Override
    public static List<String> names(
            Map<String, Integer> all) throws IOException {
        return all.keys();
    }
}

enum Level { LOW, HIGH }
"""
C = """
#include <stdio.h>

struct node {
    int value;
};

static inline char *copy_text(const char *text, size_t n)
{
#ifdef DEBUG
    puts(text);
#endif
    return strdup(text);
}

std::vector<int> Grid::cells(int n) const {
    return {n};
}

Grid::Grid(int n)
    : size(n) {
    init();
}

int main(void) {
    copy_text("a", 1);
    return 0;
}
"""
RUBY = """
module Shop
  class Order
    def self.build(params)
      new(params)
    end

    def paid?
      @paid
    end
  end
end
"""
CSS = """
:root {
  --gap: 4px;
}

.card,
.panel > .title {
  color: red;
}

#menu a:hover { color: blue }

button {
  border: 0;
}

@keyframes spin {
  to { transform: rotate(1turn) }
}

@media (max-width: 20em) {
  .wide {
    display: none;
  }
}
"""
HTML = """
<body>
  <nav id="menu">
    <a href="/">Home</a>
  </nav>
  <form class="big" id='sign-up'>
    <input id="email">
  </form>
</body>
"""
MARKDOWN = """
# Flint

Type here, and class names too.

## Getting started

```sh
# Not a heading
make run
```

## Keys and names

### Editing

Ctrl+K
"""
SQL = """
CREATE TABLE IF NOT EXISTS users (
    id integer
);

create or replace function total(a int) returns int as $$
begin
    return a;
end;
$$ language plpgsql;

CREATE VIEW recent AS
SELECT * FROM users
WHERE id > 3;
"""
PHP = """
<?php
abstract class Repo
{
    public function find(int $id): ?Row
    {
        return null;
    }
}
"""
KOTLIN = """
data class Song(val name: String)

override suspend fun play(song: Song) {
    start()
}
"""
SWIFT = """
extension Array {
    func second() -> Element? {
        return self[1]
    }
}
"""
SHELL = """
set -e

deploy() {
  make build
}

function clean {
  rm -rf out
}
"""
TOML = """
[project]
name = "x"

[tool.ruff]
line-length = 100
"""
LUA = """
local function add(a, b)
  return a + b
end

function M.start(self)
  add(1, 2)
end
"""
CSHARP = """
public record Person(string Name);

public interface IShape
{
    double Area();
}

internal sealed class Circle : IShape
{
    public async Task<double> AreaAsync(int n)
    {
        return n;
    }
}
"""

CASES = [
    # What, the text, the prompt, the first line of the region, its last.
    ("python function", PYTHON, "Make divide safe for zero", "# Halves it.", "    return a / b"),
    ("python class", PYTHON, "Add a peek to the class Queue", "class Queue:", None),
    ("python method", PYTHON, "pop should raise IndexError", "    def pop(self):", None),
    (
        "method of a named class",
        PYTHON,
        "`push` in `Queue` prints",
        "    def push(self, item):",
        None,
    ),
    ("qualified method", PYTHON, "log in Queue.push", "    def push(self, item):", None),
    ("called", PYTHON, "why does main() print?", "def main():", "    print(divide(4, 2))"),
    ("constant", PYTHON, "Add b to LIMITS", "LIMITS = {", "}"),
    ("lambda", PYTHON, "the add function takes three", "add = lambda a, b: a + b", None),
    ("the verb at the beginning", PYTHON, "add a docstring to main", "def main():", None),
    ("backticks first", PYTHON, "Use divide in `main`", "def main():", None),
    ("in Chinese", PYTHON, "让divide函数返回整数", "# Halves it.", "    return a / b"),
    ("ts interface", TYPESCRIPT, "User gets an email", "export interface User {", "}"),
    ("ts type", TYPESCRIPT, "add c to Shape", "type Shape =", '  | "b";'),
    ("ts const", TYPESCRIPT, "API_URL from the environment", None, None),
    ("ts class", TYPESCRIPT, "Let Cart be final", "export default class Cart extends Base {", "}"),
    ("ts method", TYPESCRIPT, "Check addItem's count", None, "  }"),
    ("ts getter", TYPESCRIPT, "round total()", "  get total(): number {", "  }"),
    (
        "arrow function",
        TYPESCRIPT,
        "formatPrice with two digits",
        "const formatPrice = async (",
        "};",
    ),
    ("short arrow", TYPESCRIPT, "rename double", None, None),
    ("generator", TYPESCRIPT, "walk() in reverse", "function* walk(tree) {", "}"),
    ("assigned function", TYPESCRIPT, "cache in `load`", None, "};"),
    ("go struct", GO, "Server has a host", "type Server struct {", "}"),
    ("go method", GO, "Start() logs", None, "}"),
    ("go method of its type", GO, "Server.Start logs", None, "}"),
    ("go function", GO, "NewServer checks the port", "func NewServer(port int) *Server {", "}"),
    ("rust struct", RUST, "the struct Point gets y", "pub struct Point {", "}"),
    ("rust method", RUST, "length() squared", "    pub fn length(&self) -> f64 {", "    }"),
    ("rust impl", RUST, "print both in Display", "impl<T: Debug> fmt::Display for Point {", "}"),
    ("rust macro", RUST, "square!() cubes", "macro_rules! square {", "}"),
    ("rust where", RUST, "run() waits", "pub(crate) async fn run<T>(value: T)", "}"),
    ("java method", JAVA, "names() sorted", "    @Override", "    }"),
    ("java enum", JAVA, "Level gets MID", "enum Level { LOW, HIGH }", None),
    ("c struct", C, "node has a next", "struct node {", "};"),
    ("c function", C, "free in copy_text", None, "}"),
    ("c++ method", C, "Grid::cells by reference", None, "}"),
    ("c++ constructor", C, "Grid::Grid zeroes", "Grid::Grid(int n)", "}"),
    ("ruby class method", RUBY, "build() validates", "    def self.build(params)", "    end"),
    ("ruby predicate", RUBY, "paid? as a boolean", "    def paid?", "    end"),
    ("css class", CSS, ".card in green", ".card,", "}"),
    ("css second selector", CSS, "make the title larger", ".card,", "}"),
    ("css id", CSS, "#menu underlined", "#menu a:hover { color: blue }", None),
    ("css element", CSS, "give the button a border", "button {", "}"),
    ("css keyframes", CSS, "spin slower", "@keyframes spin {", "}"),
    ("css in a media query", CSS, "show .wide", "  .wide {", "  }"),
    ("html id", HTML, "Add About to the #menu", '  <nav id="menu">', "  </nav>"),
    ("html quoted id", HTML, "the sign-up form needs a button", None, "  </form>"),
    ("markdown heading", MARKDOWN, "Shorten getting started", "## Getting started", "```"),
    (
        "markdown longest heading",
        MARKDOWN,
        "In keys and names, add F1",
        "## Keys and names",
        "Ctrl+K",
    ),
    ("sql table", SQL, "users get a name", "CREATE TABLE IF NOT EXISTS users (", ");"),
    ("sql function", SQL, "total() adds one", None, "$$ language plpgsql;"),
    ("sql view", SQL, "the recent view by date", "CREATE VIEW recent AS", "WHERE id > 3;"),
    ("php method", PHP, "find() throws", "    public function find(int $id): ?Row", "    }"),
    ("kotlin function", KOTLIN, "play() twice", None, "}"),
    ("swift extension", SWIFT, "second() safe", "    func second() -> Element? {", "    }"),
    ("shell function", SHELL, "deploy tests first", "deploy() {", "}"),
    ("shell keyword", SHELL, "clean also tmp", "function clean {", "}"),
    ("toml section", TOML, "in `tool.ruff` use 80", "[tool.ruff]", "line-length = 100"),
    ("lua local", LUA, "add() checks", "local function add(a, b)", "end"),
    ("lua method", LUA, "M.start returns", "function M.start(self)", "end"),
    ("c# interface", CSHARP, "IShape has a name", "public interface IShape", "}"),
    ("c# method", CSHARP, "AreaAsync rounds", None, "    }"),
]


@pytest.mark.parametrize(
    ("text", "prompt", "first", "last"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_the_definition_that_the_prompt_names(
    text: str, prompt: str, first: str | None, last: str | None
) -> None:
    whole = FILLER + text
    region = choose_region(whole, (0, 0), prompt=prompt)
    assert region is not None
    lines = lines_of(whole, region).splitlines()
    assert "filler" not in lines[0]
    if first is not None:
        assert lines[0] == first
    if last is not None:
        assert lines[-1] == last
    assert len(lines) <= 40


# ----- the caret, and who placed it


def region_lines(text: str, at: str, prompt: str, *, placed: bool = True) -> list[str]:
    caret = text.index(at) if at else 0
    region = choose_region(text, (caret, caret), prompt=prompt, placed=placed)
    assert region is not None
    return lines_of(text, region).splitlines()


LONG = FILLER + PYTHON


def test_a_caret_that_a_person_placed_in_a_definition_wins() -> None:
    assert region_lines(LONG, "self.items.pop()", "change divide")[0] == "    def pop(self):"


def test_a_caret_outside_all_definitions_gives_way_to_the_named_one() -> None:
    assert region_lines(LONG, "import re", "change divide")[0] == "# Halves it."


def test_a_caret_that_nobody_placed_gives_way_too() -> None:
    lines = region_lines(LONG, "self.items.pop()", "change divide", placed=False)
    assert lines[0] == "# Halves it."


@pytest.mark.parametrize("placed", [True, False])
def test_without_a_name_the_caret_decides(placed: bool) -> None:
    lines = region_lines(LONG, "self.items.pop()", "make it safe", placed=placed)
    assert lines == ["    def pop(self):", "        return self.items.pop()"]


def test_of_equal_names_the_one_nearest_to_the_caret() -> None:
    classes = [LONG[: LONG.index(name)].count("\n") for name in ("class Stack", "class Queue")]
    for caret, after in zip((0, len(LONG)), classes, strict=True):
        region = choose_region(LONG, (caret, caret), prompt="change push", placed=False)
        assert region is not None
        assert lines_of(LONG, region).startswith("    def push")
        assert after < region[0] < after + 10


def test_a_word_that_is_no_definition_changes_nothing() -> None:
    for prompt in ("", "the and of it", "explain why `nothing` is (here)", "()", "`", "a" * 5000):
        assert choose_region(LONG, (0, 0), prompt=prompt) == choose_region(LONG, (0, 0))


def test_a_named_class_that_is_too_long_gives_its_first_methods() -> None:
    methods = "".join(f"    def m{i}(self):\n        x = {i}\n        y = 2\n\n" for i in range(20))
    text = f"{FILLER}class Big:\n{methods}"
    lines = region_lines(text, "", "Let Big have a name")
    assert lines[0] == "class Big:" and 10 < len(lines) <= 40
    assert lines[-1] == "        y = 2", "no method is cut in two"


def test_a_method_of_a_long_class_is_found_behind_what_is_read_at_first() -> None:
    text = FILLER * 40 + PYTHON + FILLER * 40
    assert region_lines(text, "", "change divide")[0] == "# Halves it."
    assert choose_region(text, (0, 0), prompt="nothing here") == (1, 40)


def test_a_comment_in_code_is_no_heading_and_a_heading_in_a_code_block_is_none() -> None:
    text = f"{FILLER}# divide things\n\ndef other():\n    pass\n"
    assert region_lines(text, "", "divide things")[0] == "filler 0"
    assert region_lines(FILLER + MARKDOWN, "", "Not a heading")[0] == "filler 0"


def test_lines_that_read_like_definitions_and_are_none() -> None:
    calls = (
        "raise ValueError(\n    {\n",
        "    foo,\n    bar,\n",
        "return call(x) {\n",
        "if (count) {\n    }\n",
        "type safety matters here\n",
        "the class names, too\n",
        "print(value) \n{\n",
        "x == call(a,\n",
    )
    names = ("ValueError", "foo", "call", "count", "safety", "names", "value")
    for line in calls:
        text = FILLER + line + FILLER
        for name in names:
            region = choose_region(text, (0, 0), prompt=f"change `{name}`")
            assert region == (1, 40), (line, name, region)


def test_any_text_gives_a_region_within_it_that_is_not_too_long() -> None:
    rng = random.Random(5)
    pieces = [*PYTHON.splitlines(), *CSS.splitlines(), *SQL.splitlines(), *C.splitlines(), "```"]
    for _ in range(300):
        lines = rng.choices(pieces, k=rng.randrange(45, 120))
        text = "\n".join(lines)
        caret = rng.randrange(len(text))
        prompt = " ".join(rng.choices(text.split(), k=5))
        region = choose_region(text, (caret, caret), prompt=prompt, placed=rng.random() < 0.5)
        assert region is not None
        assert 1 <= region[0] <= region[1] <= len(lines)
        assert region[1] - region[0] < 40


MANY_LINES = "".join(f"def f{i}(a, b):\n    return a + b\n\n\n" for i in range(30_000))


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        (MANY_LINES, "a." * 16_000),
        (MANY_LINES, "a-" * 16_000),
        (MANY_LINES, "a::" * 10_600),
        (MANY_LINES, "a" * 32_000),
        (MANY_LINES, "x" + "\n " * 15_000 + "x"),
        ("AAA = 1,\n" * 1499, "AAA"),
        ("\n" * 2_000_000, "foo"),
        ("```\n" * 500_000, "foo"),
    ],
    ids=["dots", "dashes", "colons", "long", "blank", "nested", "lines", "fences"],
)
def test_nothing_in_a_prompt_or_a_text_takes_long_to_read(text: str, prompt: str) -> None:
    """It is read on the event loop, each time that somebody pauses in the prompt box."""
    begun_s = time.thread_time()
    choose_region(text, (0, 0), prompt=prompt, placed=False)
    assert time.thread_time() - begun_s < 1.5
