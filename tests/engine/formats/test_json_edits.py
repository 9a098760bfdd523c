"""The `json` parser: named cases, and the same events however the message is cut."""

from __future__ import annotations

import json

import pytest

from tests.engine.formats.reading import check_cuts, lined, read
from webapp.engine.formats import BlockEnd, BlockStart, Search, Text
from webapp.engine.formats.json_edits import JsonParser

EDIT = '{"path":"a","old":"x","new":"y"}'
ONE = "edit a: x -> y"
CASES: dict[str, tuple[str, list[str]]] = {
    # Shapes
    "edits": (f'{{"edits":[{EDIT}]}}', [ONE]),
    "two edits": (
        f'{{"edits":[{EDIT},{{"path":"b","old":"p","new":"q"}}]}}',
        [ONE, "edit b: p -> q"],
    ),
    "a list": (f"[{EDIT}, {EDIT}]", [ONE, ONE]),
    "one object": (EDIT, [ONE]),
    "objects on lines of their own": (f"{EDIT}\n{EDIT}\n", [ONE, ONE]),
    "objects behind one another": (f"{EDIT}, {EDIT};{EDIT}", [ONE, ONE, ONE]),
    "a path for all": (
        '{"path":"a","edits":[{"old":"x","new":"y"},{"old":"p","new":"q"}]}',
        [ONE, "edit a: p -> q"],
    ),
    "a path for all, behind them": (
        '{"edits":[{"old":"x","new":"y"},{"old":"p","new":"q"}],"path":"a"}',
        [ONE, "edit a: p -> q"],
    ),
    "a path for all but one": (
        '{"path":"b","edits":[{"path":"a","old":"x","new":"y"},{"old":"p","new":"q"}]}',
        [ONE, "edit b: p -> q"],
    ),
    "edits keep their order while one waits for its file": (
        '{"edits":[{"old":"p","new":"q"},{"path":"a","old":"x","new":"y"}],"path":"b"}',
        ["edit b: p -> q", ONE],
    ),
    "two lists in one object": (
        '{"path":"a","edits":[{"old":"x","new":"y"}],"changes":[{"old":"p","new":"q"}]}',
        [ONE, "edit a: p -> q"],
    ),
    "a call of a tool": (f'{{"name":"edit","arguments":{EDIT},"id":7}}', [ONE]),
    "a call with its file outside": (
        '{"file":"a","input":{"old":"x","new":"y"}}',
        [ONE],
    ),
    "no path": ('{"old":"x","new":"y"}', ["edit None: x -> y"]),
    "a list without paths": ('{"edits":[{"old":"x","new":"y"}]}', ["edit None: x -> y"]),
    "an empty list": ('{"edits":[]}', []),
    "fields that say something else": (
        '{"why":{"old":[1,{"path":"z"}]},"path":"a","old":"x","at":-1.5e3,"new":"y","ok":true}',
        [ONE],
    ),
    "white space everywhere": (
        ' {\n\t"edits" : [ {\r\n "path" : "a" , "old" : "x" , "new" : "y" } ] }\n',
        [ONE],
    ),
    "a comma behind the last": (f'{{"edits":[{EDIT[:-1]},}},],}}', [ONE]),
    # Names
    "old_string": ('{"file_path":"a","old_string":"x","new_string":"y"}', [ONE]),
    "old_str": ('{"filename":"a","old_str":"x","new_str":"y"}', [ONE]),
    "oldText": ('{"filePath":"a","oldText":"x","newText":"y"}', [ONE]),
    "old_text": ('{"file":"a","old_text":"x","new_text":"y"}', [ONE]),
    "search": ('{"file_name":"a","search":"x","replace":"y"}', [ONE]),
    "a key with escapes": ('{"p\\u0061th":"a","\\u006fld":"x","new":"y"}', [ONE]),
    "a huge key": (f'{{"{"path" * 3000}":1,{EDIT[1:]}', [ONE]),
    # Orders
    "new before old": ('{"path":"a","new":"y","old":"x"}', [ONE]),
    "path last": ('{"new":"y","old":"x","path":"a"}', [ONE]),
    "path between": ('{"old":"x","path":"a","new":"y"}', [ONE]),
    # Text
    "escapes": (
        r'{"path":"a","old":"\"\\\/\b\f\t","new":"\u00e9\u20ac"}',
        ['edit a: "\\/\b\f\t -> \u00e9\u20ac'],
    ),
    "lines": (r'{"path":"a","old":"x\n","new":"y\n\nz\n"}', ["edit a: x| -> y||z|"]),
    "CRLF in the text": (r'{"path":"a","old":"x\r\ny","new":"p\r\nq\r"}', ["edit a: x|y -> p|q|"]),
    "line ends that are no escapes": (
        '{"path":"a","old":"x\ny\t","new":"p\r\nq"}',
        ["edit a: x|y\t -> p|q"],
    ),
    "a pair in escapes": (
        r'{"path":"a","old":"\ud83d\ude00","new":"\ud83d\ude01!"}',
        ["edit a: \ud83d\ude00 -> \ud83d\ude01!"],
    ),
    "a pair half in an escape": (
        '{"path":"a","old":"\\ud83d\ude00","new":"\ud83d\\ude01"}',
        ["edit a: \ud83d\ude00 -> \ud83d\ude01"],
    ),
    "lone halves": (
        r'{"path":"a","old":"\ude00\ud83dx","new":"\ud83d\ud83d\ude00\ud83d"}',
        ["edit a: \ude00\ud83dx -> \ud83d\ud83d\ude00\ud83d"],
    ),
    "nothing is special": (
        '{"path":"a","old":"$& $1 \\\\1 &lt;","new":"$\' %s {x} &amp; <<<<<<< SEARCH ```"}',
        ["edit a: $& $1 \\1 &lt; -> $' %s {x} &amp; <<<<<<< SEARCH ```"],
    ),
    "JSON in the text": (
        json.dumps({"path": "a", "old": '{"old": "', "new": '"}]'}),
        ['edit a: {"old": " -> "}]'],
    ),
    "a fence in the text": (
        '```json\n{"path":"a","old":"x","new":"```\nz\n```\n"}\n```\nDone.\n',
        ["edit a: x -> ```|z|```|", "say Done.|"],
    ),
    "an empty old": ('{"path":"a","old":"","new":"y"}', ["edit a:  -> y"]),
    "an empty new": ('{"path":"a","old":"x","new":""}', ["edit a: x -> "]),
    "code left out": (
        r'{"path":"a","new":"a\n# ... rest of the code ...\nb","old":"# ... rest of the code ..."}',
        ["edit a: # ... rest of the code ... -> a|⟨# ... rest of the code ...|⟩b"],
    ),
    "code left out at the end": (
        r'{"path":"a.py","old":"x","new":"# ... rest of the code ..."}',
        ["edit a.py: x -> ⟨# ... rest of the code ...⟩"],
    ),
    "a heading in Markdown": (
        r'{"path":"a.md","old":"x","new":"# ... rest of the code ..."}',
        ["edit a.md: x -> # ... rest of the code ..."],
    ),
    # What is around it
    "prose around": (f"Sure.\n{EDIT}\nDone.", ["say Sure.|", ONE, "say Done."]),
    "prose behind on its line": (f"{EDIT} Done.\n", [ONE, "say Done.|"]),
    "a fence": (f"Sure.\n```json\n\n{EDIT}\n```\nDone.\n", ["say Sure.|", ONE, "say Done.|"]),
    "a fence that ends the message": (f"```\n{EDIT}\n```", [ONE]),
    "a fence with two in it": (f"~~~json\n{EDIT}\n{EDIT}\n~~~\n", [ONE, ONE]),
    "another sample in a fence": (
        f'```json\n{{"port": 80}}\n```\n{EDIT}\n',
        ['say ```json|{"port": 80}|```|', ONE],
    ),
    "brackets in prose": (
        "[link](x) and\n{x} or\n[1] and\n{\n}\n[\n  1,\n]\n",
        ["say [link](x) and|{x} or|[1] and|{|}|[|  1,|]|"],
    ),
    "code in a fence": (
        '```js\nif (x)\n{\n  "use strict";\n}\n```\n',
        ['say ```js|if (x)|{|  "use strict";|}|```|'],
    ),
    "JSON within a line": (f"Write {EDIT} so.\n", [f"say Write {EDIT} so.|"]),
    "JSON of something else that is cut": ('{"port": 8', ['say {"port": 8']),
    "nothing": ("", []),
    # What is not complete
    "cut in new": ('{"edits":[{"path":"a","old":"x","new":"y', ["edit a: x -> y(cut)"]),
    "cut in an escape": ('{"path":"a","old":"x","new":"y\\', ["edit a: x -> y(cut)"]),
    "cut in a pair": ('{"path":"a","old":"x","new":"y\\ud83d', ["edit a: x -> y(cut)"]),
    "cut behind new": ('{"path":"a","old":"x","new":"y"', ["edit a: x -> y(cut)"]),
    "cut in old": ('{"path":"a","old":"x', ["edit a: (cut)"]),
    "cut between edits": (f'{{"edits":[{EDIT},', [ONE, "edit None: (cut)"]),
    "closing brackets missing": (f'{{"edits":[{EDIT}', [ONE]),
    "cut before its file": ('{"edits":[{"old":"x","new":"y"}]', ["edit None: (cut)"]),
    # Faults
    "an unknown escape": (
        f'[{EDIT},{{"path":"b","old":"x","new":"y\\d"}},{EDIT}]\n{EDIT}',
        [ONE, "edit b: x -> y(bad_json)"],
    ),
    "no hexadecimal digits": ('{"path":"a","old":"\\u00g0","new":"y"}', ["edit a: (bad_json)"]),
    "a quote that was not escaped": (
        '{"path":"a","old":"x","new":"say "hi""}',
        ["edit a: x -> say (bad_json)"],
    ),
    "a comment": (f'{{"edits":[{EDIT}, // more\n{EDIT}]}}', [ONE, "edit None: (bad_json)"]),
    "single quotes": ("{\"path\":'a'}", ["edit None: (bad_json)"]),
    "a missing comma": (f'{{"edits":[{EDIT} {EDIT}]}}', [ONE, "edit None: (bad_json)"]),
    "a missing value": ('{"path":}', ["edit None: (bad_json)"]),
    "two commas": (f"[{EDIT},,{EDIT}]", [ONE, "edit None: (bad_json)"]),
    "the wrong bracket": (f'{{"edits":[{EDIT}}}}}', [ONE, "edit None: (bad_json)"]),
    "a number that is none": ('{"path":"a","n":01}', ["edit a: (bad_json)"]),
    "nested too deep": ('{"path":"a","n":' + "[" * 70 + "]" * 70 + "}", ["edit a: (bad_json)"]),
    "no old": ('{"path":"a","new":"y"}', ["edit a: (shape)"]),
    "no new": ('{"path":"a","old":"x"}', ["edit a: x -> (shape)"]),
    "a path alone": ('{"path":"a","content":"y"}', ["edit a: (shape)"]),
    "an empty path": ('{"path":" ","old":"x","new":"y"}', ["edit None: (shape)"]),
    "a huge path": (f'{{"path":"{"a" * 5000}","old":"x","new":"y"}}', ["edit None: (shape)"]),
    "an old that is no text": ('{"path":"a","old":null,"new":"y"}', ["edit a: (shape)"]),
    "a new that is no text": ('{"path":"a","old":"x","new":["y"]}', ["edit a: x -> (shape)"]),
    "a new said twice": (
        '{"path":"a","old":"x","new":"y","new_str":"z"}',
        ["edit a: x -> y(shape)"],
    ),
    "a path said twice": ('{"path":"a","file":"b","old":"x","new":"y"}', ["edit a: (shape)"]),
    "another path than for all": (
        '{"path":"b","edits":[{"old":"x","new":"y","path":"a"}]}',
        ["edit b: x -> y(shape)"],
    ),
    "the same path as for all": ('{"path":"a","edits":[{"old":"x","new":"y","path":"a"}]}', [ONE]),
    "edits in an edit": (
        f'{{"path":"a","old":"x","new":"y","edits":[{EDIT}]}}',
        ["edit a: x -> y(shape)"],
    ),
    "an edit behind edits": (
        f'{{"edits":[{EDIT}],"path":"a","old":"x","new":"y"}}',
        [ONE, "edit a: (shape)"],
    ),
    "edits that are text": ('{"edits":"[]"}', ["edit None: (shape)"]),
    "edits that are nothing": ('{"edits":null}', ["edit None: (shape)"]),
    "everywhere": (f'{EDIT[:-1]},"replace_all":true}}', ["edit a: x -> y(everywhere)"]),
    "everywhere, said first": (f'{{"replaceAll":true,{EDIT[1:]}', ["edit a: (everywhere)"]),
    "everywhere, as text": (f'{{"replace_all":"True",{EDIT[1:]}', ["edit a: (everywhere)"]),
    "not everywhere": (f'{{"replace_all":false,{EDIT[1:]}', [ONE]),
    "everywhere or not": (f'{{"replace_all":"perhaps",{EDIT[1:]}', ["edit a: (shape)"]),
    "three places": (f'{{"expected_replacements":3,{EDIT[1:]}', ["edit a: (everywhere)"]),
    "one place": (f'{{"expected_replacements":1,{EDIT[1:]}', [ONE]),
    "a file that is none for edits that wait": (
        '{"edits":[{"old":"x","new":"y"}],"path":""}',
        ["edit None: (shape)", "edit None: (shape)"],
    ),
    "everywhere for all, behind them": (
        '{"edits":[{"old":"x","new":"y"}],"replace_all":true,"path":"a"}',
        [ONE, "edit a: (everywhere)"],
    ),
    "one fault spares the other edits": (
        f'[{{"path":"b","old":1,"new":"y"}},{EDIT}]',
        ["edit b: (shape)", ONE],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_message(name: str) -> None:
    message, expected = CASES[name]
    assert lined(read(JsonParser, message)) == expected


@pytest.mark.parametrize("name", [name for name, (text, _) in CASES.items() if len(text) < 2000])
def test_no_cut_changes_the_events(name: str) -> None:
    check_cuts(JsonParser, CASES[name][0])


def test_an_edit_streams_as_soon_as_its_file_and_old_text_are_known() -> None:
    parser = JsonParser()
    assert parser.push('{"edits":[{"path":"a","ol') == []
    assert parser.push('d":"x","') == [BlockStart("a", verbatim=True), Search("x")]
    assert parser.push('new":"ret') == [Text("ret")]
    assert parser.push("urn\\") == [Text("urn")]
    assert parser.push("n1\\ud83d") == [Text("\n1")]
    assert parser.push("\\ude0") == []
    assert parser.push('0"') == [Text("\ud83d\ude00")]
    assert parser.push("}") == [BlockEnd()]


def test_an_edit_waits_for_a_file_that_may_be_named_behind_it() -> None:
    parser = JsonParser()
    assert parser.push('{"edits":[{"old":"x","new":"y"}],') == []
    assert lined(parser.push('"path":"a"')) == [ONE]


def test_no_event_ends_within_a_pair() -> None:
    message = r'{"path":"a","old":"\ud83d\ude00","new":"' + r"\ud83d\ude00" * 3 + "\ud83d\ude00" * 3
    for size in range(1, 14):
        parser = JsonParser()
        texts = [
            event.text
            for at in range(0, len(message), size)
            for event in parser.push(message[at : at + size])
            if isinstance(event, Text | Search)
        ]
        assert all(
            len(text) % 2 == 0 and text == "\ud83d\ude00" * (len(text) // 2) for text in texts
        )
