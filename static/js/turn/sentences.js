/** What is said about a turn, in words. Pure: a turn in, text out. */

import {
  formatNumber,
  formatPercent,
  gettext,
  inARow,
  interpolate,
  listed,
  ngettext,
} from "../lib/i18n.js";

/** @import { ModelStatus, ProgressFrame, Turn } from "../net/messages.js" */

/**
 * Returns how far a turn is, in a few words. Who ended it is said in its receipt.
 * @param {Turn} turn
 * @param {string} [path] of the file that is being written
 */
export function stateText(turn, path) {
  if (turn.reverted_by) {
    return interpolate(gettext("reverted by %(name)s"), { name: turn.reverted_by });
  }
  switch (turn.state) {
    case "queued":
      return gettext("waiting for its turn");
    case "starting":
      return gettext("reading");
    case "streaming":
      return path ? interpolate(gettext("writing %(path)s"), { path }) : gettext("writing");
    case "stopping":
      return gettext("stopping…");
    case "finished":
      return gettext("finished");
    case "stopped":
      return gettext("stopped");
    case "redirected":
      return gettext("redirected");
    case "failed":
      return gettext("failed");
    case "interrupted":
      return gettext("interrupted");
  }
}

/**
 * Returns a turn's figures: while it runs its tokens, afterwards what it changed.
 * @param {Turn} turn
 * @param {ProgressFrame | null} progress
 */
export function figures(turn, progress) {
  /** @type {string[]} */
  const parts = [];
  const running = progress && ["starting", "streaming", "stopping"].includes(turn.state);
  const ttft = (running ? progress.ttft_ms : null) ?? turn.ttft_ms;
  if (running) {
    const count = interpolate(ngettext("%(count)s token", "%(count)s tokens", progress.tokens), {
      count: formatNumber(progress.tokens),
    });
    parts.push(count);
    if (progress.tps) parts.push(speed(progress.tps));
  } else if (turn.added || turn.removed) {
    parts.push(`+${formatNumber(turn.added)} −${formatNumber(turn.removed)}`);
  }
  if (ttft !== null && ttft !== undefined) {
    parts.push(interpolate(gettext("first %(time)s"), { time: milliseconds(ttft) }));
  }
  return parts.join(" · ");
}

/**
 * Returns the receipt of a turn that somebody ended, or "".
 * @param {Turn} turn
 * @param {number | null} roundTripMs what the person who stopped it waited, on this page
 * @param {string} [you] this person's name, who need not be told that it was them
 */
export function receipt(turn, roundTripMs, you = "") {
  if (turn.state === "finished") return refusedText(turn);
  if (turn.state !== "stopped" && turn.state !== "redirected") return "";
  const sentences = [turn.state === "stopped" ? stopText(turn, you) : redirectText(turn, you)];
  sentences.push(turn.reverted_by ? gettext("Its edits were taken back.") : keptText(turn));
  sentences.push(refusedText(turn));
  if (roundTripMs !== null) {
    const time = milliseconds(roundTripMs);
    sentences.push(interpolate(gettext("You saw it after %(time)s."), { time }));
  }
  return inARow(sentences);
}

/** How many of its edits could not be applied, or "". @param {Turn} turn */
function refusedText({ edits = 0, refused = 0 }) {
  if (!refused) return "";
  const all = interpolate(ngettext("%(count)s edit", "%(count)s edits", edits), {
    count: formatNumber(edits),
  });
  return interpolate(
    ngettext("%(all)s, %(count)s not applied.", "%(all)s, %(count)s not applied.", refused),
    { all, count: formatNumber(refused) },
  );
}

/** @param {Turn} turn @param {string} you */
function stopText({ ended_by: name, stop_ms: ms, tokens_out }, you) {
  const token = formatNumber(tokens_out);
  const somebody = name && name !== you;
  if (ms === null) {
    return somebody
      ? interpolate(gettext("Stopped by %(name)s at token %(token)s."), { name, token })
      : interpolate(gettext("Stopped at token %(token)s."), { token });
  }
  const time = milliseconds(ms);
  return somebody
    ? interpolate(gettext("Stopped by %(name)s in %(time)s at token %(token)s."), {
        name,
        time,
        token,
      })
    : interpolate(gettext("Stopped in %(time)s at token %(token)s."), { time, token });
}

/** @param {Turn} turn @param {string} you */
function redirectText({ ended_by: name, stop_ms: ms }, you) {
  const somebody = name && name !== you;
  if (ms === null) {
    return somebody
      ? interpolate(gettext("Redirected by %(name)s."), { name })
      : gettext("Redirected.");
  }
  const time = milliseconds(ms);
  return somebody
    ? interpolate(gettext("Redirected by %(name)s after %(time)s."), { name, time })
    : interpolate(gettext("Redirected after %(time)s."), { time });
}

/** Returns what stayed of a turn that somebody ended. @param {Turn} turn */
function keptText({ hunks }) {
  const kept = hunks.filter(({ status }) => ["applied", "kept", "yielded"].includes(status)).length;
  const rolledBack = hunks.filter(({ status }) => status === "rolled_back").length;
  const count = formatNumber(kept);
  if (rolledBack) {
    const keptPart = interpolate(ngettext("%(count)s edit kept", "%(count)s edits kept", kept), {
      count,
    });
    const backPart = interpolate(
      ngettext(
        "%(count)s unfinished edit rolled back",
        "%(count)s unfinished edits rolled back",
        rolledBack,
      ),
      { count: formatNumber(rolledBack) },
    );
    return interpolate(gettext("%(kept)s, %(back)s."), { kept: keptPart, back: backPart });
  }
  return kept
    ? interpolate(ngettext("%(count)s edit kept.", "%(count)s edits kept.", kept), { count })
    : gettext("Nothing was changed.");
}

/**
 * Returns what is told of a turn that begins, for somebody who listens.
 * @param {Turn} turn
 * @param {boolean} waited whether it was a follow-up
 */
export function beganText({ name, prompt, parent }, waited) {
  const words = { name, prompt: short(prompt) };
  // Who sent a prompt that waited may be another than who wrote it; the turn before says who.
  if (waited)
    return interpolate(gettext("The next prompt is asked, from %(name)s: %(prompt)s"), words);
  return parent
    ? interpolate(gettext("%(name)s redirected Flint: %(prompt)s"), words)
    : interpolate(gettext("%(name)s asked: %(prompt)s"), words);
}

/**
 * Returns what is told of a turn when it ends, for somebody who listens.
 * @param {Turn} turn
 * @param {string[]} paths the files it changed
 * @param {string} [you] this person's name
 */
export function endText(turn, paths, you = "") {
  switch (turn.state) {
    case "finished":
      return inARow([changeText(turn, paths), refusedText(turn), turn.reason]);
    case "stopped":
    case "redirected":
      return receipt(turn, null, you);
    case "failed":
    case "interrupted":
      return turn.reason || brokenText();
    default:
      return "";
  }
}

/** Of a turn that ended badly, when nobody knows why. */
export const brokenText = () =>
  gettext(
    "The turn did not end well. What it had written is kept; use the prompt again, or revert the turn.",
  );

/** @param {Turn} turn @param {string[]} paths */
function changeText({ added, removed }, paths) {
  const count = added + removed;
  if (!count || !paths.length) return gettext("Flint finished and changed nothing.");
  return interpolate(
    ngettext(
      "Flint changed %(count)s line in %(paths)s.",
      "Flint changed %(count)s lines in %(paths)s.",
      count,
    ),
    { count: formatNumber(count), paths: listed(paths) },
  );
}

/**
 * Returns what the link to a neighbour of a turn says.
 * @param {"from" | "next" | "repairs" | "repaired"} way
 * @param {string} prompt of the other one
 */
export function linkText(way, prompt) {
  const words = { prompt: short(prompt, LINK) };
  switch (way) {
    case "from":
      return interpolate(gettext("Goes on from “%(prompt)s”"), words);
    case "next":
      return interpolate(gettext("Went on with “%(prompt)s”"), words);
    case "repairs":
      return interpolate(gettext("Second try for “%(prompt)s”"), words);
    case "repaired":
      return gettext("Flint was asked once more");
  }
}

/** Longer prompts are cut where they are only to be recognised. */
const SHORT = 80;
const LINK = 40;

/**
 * Returns a prompt in one line, so short that one can hear it or read it in passing.
 * @param {string} prompt
 * @param {number} [most] characters
 */
export function short(prompt, most = SHORT) {
  const line = prompt.trim().replace(/\s+/gu, " ");
  const letters = [...line];
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join("")}…`;
}

/**
 * Returns how the model is doing.
 * @param {ModelStatus} model
 */
export function modelText(model) {
  switch (model.state) {
    case "ready":
      return model.name || model.tier;
    case "starting":
      return gettext("The model is starting");
    case "failed":
      return model.message || gettext("The model could not be started.");
    case "offered":
      return model.message || gettext("Not on this machine yet");
    case "paused":
      return model.message || gettext("The download is stopped");
    case "unfit":
      return model.message || gettext("This machine is too small for it");
    case "missing":
      return model.message || gettext("No model yet");
    case "downloading":
      return interpolate(
        gettext("The model is downloading: %(percent)s, %(done)s of %(total)s MB"),
        {
          percent: formatPercent(percentOf(model) / 100),
          done: megabytes(model.done_bytes),
          total: megabytes(model.total_bytes),
        },
      );
  }
}

/** @param {ModelStatus} model @returns {number} whole percent of the download */
export function percentOf({ done_bytes, total_bytes }) {
  return total_bytes > 0 ? Math.floor((100 * done_bytes) / total_bytes) : 0;
}

/** @param {number} tokensPerSecond */
export function speed(tokensPerSecond) {
  return interpolate(gettext("%(speed)s tok/s"), {
    speed: formatNumber(Math.round(tokensPerSecond)),
  });
}

/** @param {number} ms */
export function milliseconds(ms) {
  return ms < 1_000
    ? interpolate(gettext("%(count)s ms"), { count: formatNumber(Math.max(1, Math.round(ms))) })
    : interpolate(gettext("%(count)s s"), { count: formatNumber(Math.round(ms / 100) / 10) });
}

/** @param {number} bytes */
export const megabytes = (bytes) => formatNumber(Math.round(bytes / 1e6));
