/** One person's session: what the server says, and what it still has to be told. */

import { Refusal } from "./api.js";
import { uuid } from "./dom.js";
import { Outbox } from "./outbox.js";

const EVENT_DELAY_MS = 4000;
const EVENTS_AT_ONCE = 200;

const storageKey = (link) => `tacit session ${link}`;

/** The name under which this browser comes back to the session of a link. */
function resumeKey(link) {
  try {
    let key = localStorage.getItem(storageKey(link));
    if (!key) localStorage.setItem(storageKey(link), (key = uuid()));
    return key;
  } catch {
    // A browser that may store nothing still remembers this of the page when it is loaded again.
    if (!history.state?.key) history.replaceState({ key: uuid() }, "");
    return history.state.key;
  }
}

/** Make the next visit of a link a new session. */
export function forget(link) {
  history.replaceState(null, "");
  try {
    localStorage.removeItem(storageKey(link));
  } catch {
    // There was nothing stored.
  }
}

function describeClient() {
  return {
    user_agent: navigator.userAgent,
    language: navigator.language,
    screen: [screen.width, screen.height],
    pixel_ratio: devicePixelRatio,
    touch: navigator.maxTouchPoints > 0,
  };
}

export class Session {
  #client;
  #opening;
  #outbox;
  #confirmed = 0;
  #eventTimer = null;
  #eventsLeave = Promise.resolve();

  constructor(client, link) {
    this.#client = client;
    const parameters = Object.fromEntries(new URLSearchParams(location.search));
    this.#opening = { link, parameters, client: describeClient(), resume_key: resumeKey(link) };
  }

  /** Begin, or come back; what an earlier page could not deliver is delivered first. */
  async open() {
    await this.#enter();
    this.#outbox = await Outbox.open(this.id);
    if (await this.#deliver(this.view.next_sequence)) await this.#enter();
    addEventListener("pagehide", () => this.#sendEvents());
    addEventListener("beforeunload", (event) => {
      if (this.#outbox.wouldLose) event.preventDefault();
    });
  }

  /** Whether answers that were not sent yet outlive this page. */
  get isSaved() {
    return this.#outbox === undefined || this.#outbox.isSaved;
  }

  async #enter() {
    const opened = await this.#client.call("POST", "/sessions", this.#opening);
    this.#client.token = opened.token;
    this.id = opened.session_id;
    this.view = opened.view;
    // Sequence numbers start at 1.
    this.#confirmed = this.view.next_sequence - 1;
  }

  /** Call below this session; a token that is no longer known is replaced once. */
  async #call(method, path, body) {
    const call = () => this.#client.call(method, `/sessions/${this.id}${path}`, body);
    try {
      return await call();
    } catch (error) {
      if (error.status !== 401) throw error;
      await this.#enter();
      return call();
    }
  }

  async #put(trialId, body) {
    try {
      return await this.#call("PUT", `/responses/${encodeURIComponent(trialId)}`, body);
    } catch (error) {
      // Another tab answered this trial first: the server's answer stands.
      if (error.status !== 409) throw error;
      this.note("conflict", { trial_id: trialId });
      return null;
    } finally {
      this.#leaveEvents();
    }
  }

  /** Send what the server has not confirmed, or has lost since; returns how many answers. */
  async #deliver(nextSequence = Infinity) {
    const rows = await this.#outbox.responses();
    const waiting = rows.filter((row) => !row.confirmed || row.body.sequence >= nextSequence);
    for (const { trial_id: trialId, body } of waiting) {
      await this.#put(trialId, body);
      await this.#outbox.putResponse(trialId, body, true);
    }
    return waiting.length;
  }

  /** Keep an answer, send it, and take up what comes next. */
  async answer(trial, body) {
    await this.#outbox.putResponse(trial.trial_id, body);
    const next = await this.#put(trial.trial_id, body);
    await this.#outbox.putResponse(trial.trial_id, body, true);
    if (next)
      Object.assign(this.view, {
        trial: next.trial,
        stage: next.stage,
        progress: next.progress,
      });
    else await this.refresh();
  }

  async refresh() {
    this.view = await this.#call("GET", "");
  }

  async finishStage(stage, body = {}) {
    this.view = await this.#call("PUT", `/stages/${stage}`, body);
  }

  estimate() {
    return this.#call("GET", "/estimate");
  }

  /** Whether the study is one that anybody may take as often as wanted. */
  async isDemo() {
    const demos = await this.#client.call("GET", "/demos");
    return demos.some((demo) => demo.study_id === this.view.study.study_id);
  }

  /** Close the session, once every answer is confirmed; lost ones are sent again. */
  async complete() {
    for (;;) {
      await this.#deliver();
      const rows = await this.#outbox.responses();
      const last = Math.max(this.#confirmed, ...rows.map((row) => row.body.sequence));
      try {
        return await this.#call("POST", "/completion", {
          n_responses: last,
          last_sequence: last,
        });
      } catch (error) {
        const missing = new Set(error.problem?.missing ?? []);
        const lost = rows.filter((row) => missing.has(row.body.sequence));
        if (lost.length === 0) throw error;
        for (const row of lost) await this.#outbox.putResponse(row.trial_id, row.body, false);
      }
    }
  }

  async withdraw(erase) {
    await this.#call("POST", "/withdrawal", { erase });
    if (erase) await this.#outbox.clear();
    this.view = { ...this.view, stage: "withdrawn", trial: null };
  }

  /** Note what happened beside the answers; sent in batches, never waited for. */
  note(name, detail = {}) {
    const event = { event_id: uuid(), name, at_ms: performance.now(), detail };
    this.#outbox.putEvent(event).then(
      () => {
        this.#eventTimer ??= setTimeout(() => this.#leaveEvents(), EVENT_DELAY_MS);
      },
      () => {},
    );
  }

  #leaveEvents() {
    clearTimeout(this.#eventTimer);
    this.#eventTimer = null;
    this.#eventsLeave = this.#eventsLeave.then(() => this.#sendEvents());
  }

  async #sendEvents() {
    for (;;) {
      const events = (await this.#outbox.events()).slice(0, EVENTS_AT_ONCE);
      if (events.length === 0) return;
      try {
        await this.#client.once("POST", `/sessions/${this.id}/events`, { events });
      } catch (error) {
        // Refused events would be refused for ever; others wait for the next occasion.
        if (!(error instanceof Refusal) || error.status === 401) return;
      }
      await this.#outbox.dropEvents(events);
    }
  }
}
