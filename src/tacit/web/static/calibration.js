/** What this device and this hand add to every time: refresh rate, clock grain, simple reactions. */

import { el, pause } from "./dom.js";
import { clockGrain, frameLength, timeChoice } from "./timing.js";

const N_REACTIONS = 5;
const SHORTEST_WAIT_MS = 700;
const WAIT_SPREAD_MS = 900;
const SHOWN_MS = 500;

/** Measure; resolves to what the server stores. */
export async function calibrate({ words, show }, signal) {
  const disc = el("button", { class: "disc", type: "button" }, el("span", {}, words.say("disc")));
  const count = el("p", { class: "hint", role: "status" });
  const title = el("h1", { tabindex: "-1" }, words.say("calibration_title"));
  const lead = el("p", { class: "lead" }, words.say("calibration_text"));
  show(el("section", { class: "calibration" }, title, lead, disc, count));
  const frameMs = await frameLength();
  const times = [];
  while (times.length < N_REACTIONS) {
    count.textContent = words.say("calibration_count", {
      n: times.length + 1,
      total: N_REACTIONS,
    });
    const {
      response_ms: response,
      onset_ms: onset,
      time_valid: valid,
    } = await timeChoice({
      show: () => disc.classList.add("lit"),
      keys: { go: [" "] },
      areas: { go: disc },
      foreperiodMs: SHORTEST_WAIT_MS + Math.random() * WAIT_SPREAD_MS,
      onEarly: () => (count.textContent = words.say("too_early")),
      signal,
    });
    if (valid) times.push(response - onset);
    count.textContent = valid
      ? words.say("reaction", { ms: words.number(response - onset) })
      : words.say("again");
    await pause(SHOWN_MS, signal);
    disc.classList.remove("lit");
  }
  return { refresh_hz: 1000 / frameMs, clock_grain_ms: clockGrain(), simple_rt_ms: times };
}
