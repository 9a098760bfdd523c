/** How long to wait before the next attempt to connect. Pure: time and chance are arguments. */

const STEPS_MS = [100, 250, 500, 1_000, 2_000, 4_000];

/**
 * Returns milliseconds to wait before attempt number `attempt` (from 0), between 75 % and 125 % of its step,
 * so that the people of one session do not all come back in the same instant.
 * @param {number} attempt
 * @param {number} [chance] from 0 to 1
 */
export function backoffMs(attempt, chance = Math.random()) {
  if (attempt < 0) throw new RangeError(`Attempt ${attempt} is before the first.`);
  const step = STEPS_MS[Math.min(attempt, STEPS_MS.length - 1)];
  return Math.round(step * (0.75 + chance / 2));
}
