/** A participant's visit, from the link to the result. */

import { Client, Refusal } from "./api.js";
import { calibrate } from "./calibration.js";
import { loadMessages, setLanguage } from "./messages.js";
import { result } from "./result.js";
import { askToStop, consent, instructions, interlude, notice, rest } from "./screens.js";
import { Session, forget } from "./session.js";
import { Stimuli } from "./stimuli.js";
import { Tab } from "./tab.js";
import { TrialScreen } from "./trial.js";

const link = decodeURIComponent(location.pathname.split("/").at(-1));
const byId = (id) => document.getElementById(id);
const main = byId("main");

/** Why what was going on is given up: another tab took over, or the person stops. */
class Interruption extends Error {}

function show(element) {
  main.replaceChildren(element);
  scrollTo(0, 0);
  element.querySelector("h1")?.focus({ preventScroll: true });
}

class Visit {
  constructor(words) {
    this.words = words;
    this.show = show;
    this.client = new Client({ connected: (well) => this.#connected(well) });
    this.session = new Session(this.client, link);
    this.controller = new AbortController();
    this.interrupted = new Promise((_, reject) => {
      const { signal } = this.controller;
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    this.interrupted.catch(() => {});
    byId("stop").addEventListener("click", () => this.#stop());
  }

  #connected(well) {
    const banner = byId("offline");
    if (banner.hidden !== well) banner.hidden = well;
    const how = this.session.isSaved ? "offline" : "offline_unsaved";
    banner.textContent = well ? "" : this.words.say(how);
  }

  interrupt(reason) {
    this.controller.abort(new Interruption(reason));
  }

  async #stop() {
    const how = await askToStop(this.words);
    if (how) this.interrupt(how);
  }

  async open() {
    await this.session.open();
    const { study } = this.session.view;
    document.title = study.title;
    if (!study.language.startsWith(this.words.language)) {
      this.words = await loadMessages([study.language, ...navigator.languages]);
    }
    // Where the words are not the study's, each of its texts keeps a direction of its own.
    const own = study.language.startsWith(this.words.language);
    setLanguage(this.words, own ? study.direction : undefined);
    byId("title").textContent = study.title;
    byId("stop").textContent = this.words.say("stop");
    this.stimuli = new Stimuli(study.items);
    this.stimuli.loadAll();
  }

  #progress() {
    const { stage, progress } = this.session.view;
    const bar = byId("progress");
    const asking = stage === "main";
    bar.hidden = byId("left").hidden = !asking;
    byId("stop").hidden = ["result", "withdrawn"].includes(stage);
    document.body.dataset.stage = stage;
    if (!asking) return;
    bar.value = progress.share_done;
    bar.setAttribute("aria-label", this.words.say("progress"));
    byId("left").textContent = this.#timeLeft(progress);
  }

  #timeLeft({
    seconds_used: used,
    share_done: share,
    time_budget: seconds,
    n_queries_budget: most,
  }) {
    if (seconds !== null) {
      const left = Math.max(0, seconds - used);
      return this.words.say("seconds_left", { n: Math.ceil(left / 10) * 10 });
    }
    if (most !== null)
      return this.words.say("questions_left", { n: Math.round((1 - share) * most) });
    return this.words.percent(share);
  }

  /** Go from stage to stage until nothing is left to do. */
  async run() {
    const { signal } = this.controller;
    for (;;) {
      this.#progress();
      const { stage, study } = this.session.view;
      if (stage === "consent") await consent(this, signal);
      else if (stage === "instructions") await instructions(this, signal);
      else if (stage === "calibration") await this.#calibrate(signal);
      else if (stage === "practice" || stage === "main") await this.#ask(stage, study, signal);
      else if (stage === "result") return result(this, link);
      else return notice(this, "withdrawn");
    }
  }

  async #calibrate(signal) {
    await interlude(this, "calibration", {}, signal);
    const calibration = await calibrate(this, signal);
    await this.session.finishStage("calibration", { calibration });
  }

  async #ask(stage, study, signal) {
    await this.#announce(stage, study, signal);
    const screen = new TrialScreen(
      this,
      stage === "practice" ? study.practice.question : study.question,
    );
    show(screen.element);
    while (this.session.view.stage === stage) {
      const { trial } = this.session.view;
      const answer = await screen.ask(trial, signal);
      const sent = this.session.answer(trial, answer);
      const both = Promise.all([sent, screen.afterwards(trial, answer.choice, signal)]);
      // Without a network, the answer may be on its way for long.
      await Promise.race([both, this.interrupted]);
      this.#progress();
      if (this.#breakDue(stage, study)) {
        await rest(this, signal);
        show(screen.element);
      }
    }
  }

  #announce(stage, study, signal) {
    const { n_answered: answered } = this.session.view.progress;
    if (stage === "main" && answered > 0) return interlude(this, "resume", {}, signal);
    const values = stage === "practice" ? { n: study.practice.n_trials } : {};
    return interlude(this, stage, values, signal);
  }

  #breakDue(stage, study) {
    const { stage: now, progress } = this.session.view;
    const due = study.break_every && progress.n_answered % study.break_every === 0;
    return stage === "main" && now === "main" && due;
  }
}

async function failed(visit, error) {
  if (error instanceof Interruption && error.message === "moved")
    return notice(visit, "moved", { action: "continue_here" });
  if (error instanceof Interruption) {
    await visit.session.withdraw(error.message === "erase");
    if (error.message === "erase") forget(link);
    byId("stop").hidden = byId("progress").hidden = byId("left").hidden = true;
    return notice(visit, error.message === "erase" ? "erased" : "withdrawn");
  }
  if (error instanceof Refusal) {
    if ([403, 404, 410].includes(error.status))
      return notice(visit, "broken_link", { action: "reload" });
    return notice(visit, "refused", { action: "reload", detail: error.message });
  }
  return notice(visit, "failed", { action: "reload", detail: String(error) });
}

async function start() {
  const words = await loadMessages(navigator.languages);
  setLanguage(words);
  const visit = new Visit(words);
  const tab = new Tab(link, () => visit.interrupt("moved"));
  if (!(await tab.ask())) {
    await notice(visit, "other_tab", { action: "continue_here" });
    tab.take();
  }
  try {
    await visit.open();
    await visit.run();
  } catch (error) {
    await failed(visit, error);
    location.reload();
  }
}

start();
