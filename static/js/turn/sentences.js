/** What is said about a turn, in words. Pure: a turn in, text out. */

import { formatNumber, formatPercent, gettext, interpolate, ngettext } from "../lib/i18n.js";

/** @import { ModelStatus, ProgressFrame, Turn } from "../net/messages.js" */

/**
 * Returns how far a turn is, in a few words.
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
      return turn.ended_by
        ? interpolate(gettext("stopped by %(name)s"), { name: turn.ended_by })
        : gettext("stopped");
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
 * Returns the receipt of a turn that was stopped, or "".
 * @param {Turn} turn
 * @param {number | null} roundTripMs what the person who stopped it waited, on this page
 */
export function receipt(turn, roundTripMs) {
  if (turn.state !== "stopped") return "";
  const token = formatNumber(turn.tokens_out);
  const sentences = [
    turn.stop_ms === null
      ? interpolate(gettext("Stopped at token %(token)s."), { token })
      : interpolate(gettext("Stopped in %(time)s at token %(token)s."), {
          time: milliseconds(turn.stop_ms),
          token,
        }),
  ];
  const kept = turn.hunks.filter(({ status }) => ["applied", "yielded"].includes(status)).length;
  const rolledBack = turn.hunks.filter(({ status }) => status === "rolled_back").length;
  const keptText = interpolate(ngettext("%(count)s edit kept", "%(count)s edits kept", kept), {
    count: formatNumber(kept),
  });
  if (rolledBack) {
    const backText = interpolate(
      ngettext(
        "%(count)s unfinished edit rolled back",
        "%(count)s unfinished edits rolled back",
        rolledBack,
      ),
      { count: formatNumber(rolledBack) },
    );
    sentences.push(interpolate(gettext("%(kept)s, %(back)s."), { kept: keptText, back: backText }));
  } else if (kept) {
    sentences.push(`${keptText}.`);
  } else {
    sentences.push(gettext("Nothing was changed."));
  }
  if (roundTripMs !== null) {
    const time = milliseconds(roundTripMs);
    sentences.push(interpolate(gettext("You saw it after %(time)s."), { time }));
  }
  return sentences.join(" ");
}

/**
 * Returns what is told of a turn when it ends, for somebody who listens.
 * @param {Turn} turn
 * @param {string[]} paths the files it changed
 */
export function endText(turn, paths) {
  switch (turn.state) {
    case "finished": {
      const count = turn.added + turn.removed;
      if (!count || !paths.length) return gettext("Flint finished and changed nothing.");
      return interpolate(
        ngettext(
          "Flint changed %(count)s line in %(paths)s.",
          "Flint changed %(count)s lines in %(paths)s.",
          count,
        ),
        { count: formatNumber(count), paths: paths.join(", ") },
      );
    }
    case "stopped":
      return receipt(turn, null);
    case "failed":
    case "interrupted":
      return turn.reason || gettext("The turn did not end well. What it had written is kept.");
    default:
      return "";
  }
}

/** @param {string} status of a hunk */
export function hunkText(status) {
  switch (status) {
    case "open":
      return gettext("being written");
    case "yielded":
      return gettext("left to you where you typed");
    case "reverted":
      return gettext("reverted");
    case "rolled_back":
      return gettext("unfinished, rolled back");
    default:
      return "";
  }
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
    case "missing":
    case "offered":
    case "unfit":
    case "paused":
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
