/**
 * CodeMirror's own algebra as a process: one JSON array of requests a line in, one of answers a
 * line out. Texts travel as strings, changes as their JSON. A request that CodeMirror refuses is
 * answered by {error}.
 */
import { createInterface } from "node:readline";
import { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from "@codemirror/collab";
import { ChangeSet, EditorState, Text } from "@codemirror/state";

const textOf = (string) => Text.of(string.split("\n"));
const changeOf = (json) => ChangeSet.fromJSON(json);

/** Lists [fromA, toA, fromB, toB, inserted] of a change. */
function listChanges(change, individual) {
  const out = [];
  change.iterChanges((fromA, toA, fromB, toB, inserted) => {
    out.push([fromA, toA, fromB, toB, inserted.toString()]);
  }, individual);
  return out;
}

const operations = {
  apply: ({ text, a }) => changeOf(a).apply(textOf(text)).toString(),
  compose: ({ a, b }) => changeOf(a).compose(changeOf(b)).toJSON(),
  map: ({ a, b, before }) => changeOf(a).map(changeOf(b), before).toJSON(),
  invert: ({ text, a }) => changeOf(a).invert(textOf(text)).toJSON(),
  mapPos: ({ a, positions, assoc }) => positions.map((pos) => changeOf(a).mapPos(pos, assoc)),
  iter: ({ a, individual }) => listChanges(changeOf(a), individual),
  facts: ({ a }) => [changeOf(a).length, changeOf(a).newLength, changeOf(a).empty],
  of: ({ length, specs }) =>
    ChangeSet.of(specs.map(([from, to, insert]) => ({ from, to, insert })), length).toJSON(),
  json: ({ a }) => changeOf(a).toJSON(),
  collab: runCollab,
};

/** One client's life: its own edits and the updates it received, each followed by what it shows. */
function runCollab({ text, client, version, steps }) {
  let state = EditorState.create({
    doc: textOf(text),
    extensions: [
      collab({ clientID: client, startVersion: version }),
      EditorState.allowMultipleSelections.of(true),
    ],
  });
  return steps.map((step) => {
    const transaction = step.edit
      ? state.update({ changes: changeOf(step.edit) })
      : receiveUpdates(state, [{ clientID: step.client, changes: changeOf(step.changes) }]);
    state = transaction.state;
    return [
      state.doc.toString(),
      getSyncedVersion(state),
      sendableUpdates(state).map((update) => update.changes.toJSON()),
    ];
  });
}

function answer(request) {
  try {
    return operations[request.op](request);
  } catch (error) {
    return { error: String(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(JSON.parse(line).map(answer))}\n`);
}
