/** The screen on which questions are asked: ready gate, blank, choice. */

import { el, keyCaps, pause } from "./dom.js";
import { clockGrain, timeChoice } from "./timing.js";

const SHORTEST_FOREPERIOD_MS = 500;
const FOREPERIOD_SPREAD_MS = 300;
const CHOSEN_MS = 260;
const FEEDBACK_MS = 1100;

/** Resolve when the person says that they are ready: the button, or the space bar. */
function whenReady(button, signal) {
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const finish = (settle, value) => {
      stop.abort();
      settle(value);
    };
    const options = { signal: stop.signal };
    signal.addEventListener("abort", () => finish(reject, signal.reason), options);
    button.addEventListener("click", () => finish(resolve), options);
    const onKey = (event) => {
      if (event.key !== " " || event.repeat || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      finish(resolve);
    };
    addEventListener("keydown", onKey, options);
  });
}

export class TrialScreen {
  #session;
  #stimuli;
  #words;
  #sides = {};

  constructor({ session, stimuli, words }, question) {
    this.#session = session;
    this.#stimuli = stimuli;
    this.#words = words;
    const { keys } = session.view.study;
    this.grain = clockGrain();
    this.ready = el("button", { class: "ready", type: "button" }, words.say("ready"));
    this.hint = el("p", { class: "hint", role: "status" });
    for (const side of ["left", "right"]) {
      const holder = el("span", { class: "holder" });
      const name = el("span", { class: "name", dir: "auto" });
      const button = el("button", { class: `option ${side}`, type: "button" }, holder, name);
      this.#sides[side] = {
        holder,
        name,
        button,
        column: el("div", { class: "side" }, button, keyCaps(keys[side])),
      };
    }
    const { left, right } = this.#sides;
    const middle = el("div", { class: "middle" }, this.ready, el("span", { class: "fixation" }));
    this.title = el("h1", { class: "question", tabindex: "-1", dir: "auto" }, question);
    const pair = el("div", { class: "pair", dir: "ltr" }, left.column, middle, right.column);
    this.element = el("section", { class: "trial" }, this.title, pair, this.hint);
  }

  #phase(phase) {
    this.element.dataset.phase = phase;
    // A disabled button would swallow a press that comes too early.
    for (const { button } of Object.values(this.#sides)) button.ariaDisabled = phase !== "choice";
    this.ready.disabled = phase !== "gate";
  }

  #fill(trial) {
    for (const [side, { holder, name, button }] of Object.entries(this.#sides)) {
      const item = this.#stimuli.item(trial[side]);
      holder.replaceChildren(this.#stimuli.trialFace(trial[side]));
      name.textContent = ["text", "type"].includes(item.kind) ? "" : item.name;
      button.setAttribute("aria-label", this.#stimuli.label(trial[side]));
      button.dataset.kind = item.kind;
      button.classList.remove("chosen");
    }
  }

  /** Ask one question; resolves to the body of the answer. */
  async ask(trial, signal) {
    this.#phase("loading");
    this.hint.textContent = "";
    const loaded = await Promise.all(
      [trial.left, trial.right].map((id) => this.#stimuli.ready(id)),
    );
    signal.throwIfAborted();
    this.#fill(trial);
    this.#phase("gate");
    this.hint.textContent = this.#words.say("ready_hint");
    if (document.activeElement === document.body) this.title.focus({ preventScroll: true });
    await whenReady(this.ready, signal);
    this.hint.textContent = "";
    const answer = await this.#time(trial, loaded.every(Boolean), signal);
    const { choice } = answer;
    this.#sides[choice].button.classList.add("chosen");
    this.#phase("chosen");
    const clock = { kind: "event.timeStamp", grain_ms: this.grain };
    return { sequence: trial.sequence, ...answer, clock };
  }

  async #time(trial, loaded, signal) {
    this.#phase("blank");
    const reasons = [...(trial.shown_before ? ["resumed"] : []), ...(loaded ? [] : ["media"])];
    const { left, right } = this.#sides;
    return timeChoice({
      show: () => {
        this.hint.textContent = "";
        this.#phase("choice");
      },
      keys: this.#session.view.study.keys,
      areas: { left: left.button, right: right.button },
      foreperiodMs: SHORTEST_FOREPERIOD_MS + Math.random() * FOREPERIOD_SPREAD_MS,
      onset: this.#stimuli.player(trial.left, trial.right) ?? undefined,
      onEarly: (event) => {
        this.hint.textContent = this.#words.say("too_early");
        this.#session.note("too_early", {
          trial_id: trial.trial_id,
          at_ms: event.timeStamp,
        });
      },
      reasons,
      signal,
    });
  }

  /** Let the choice stand for a moment; tell in practice whether it was right. */
  async afterwards(trial, choice, signal) {
    if (trial.correct) {
      const right = choice === trial.correct;
      this.hint.textContent = this.#words.say(right ? "practice_right" : "practice_wrong");
      await pause(FEEDBACK_MS, signal);
    } else {
      await pause(CHOSEN_MS, signal);
    }
  }
}
