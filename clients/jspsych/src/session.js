/** A session on a tacit server: what is asked next, and every answer until it is acknowledged. */

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function request(url, options) {
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, LONGEST_DELAY_MS)) {
    const response = await fetch(url, options).catch(() => null);
    const worthAnotherTry = !response || response.status >= 500 || response.status === 429;
    if (!worthAnotherTry) {
      const answer = await response.json();
      if (!response.ok) throw new Error(`tacit refused: ${answer.detail ?? response.status}`);
      return answer;
    }
    await pause(delay);
  }
}

export class TacitSession {
  #base;
  #headers = { "Content-Type": "application/json" };

  /**
   * Begin a session, or come back to it.
   *
   * @param {object} wish
   * @param {string} wish.link  address of a participant's link, https://host/s/...
   * @param {string} wish.resumeKey  a UUID, the same one after a reload
   * @param {object} [wish.parameters]  texts to be stored with the session, such as PROLIFIC_PID
   */
  static async open({ link, resumeKey, parameters = {} }) {
    const { origin, pathname } = new URL(link);
    const session = new TacitSession();
    session.#base = `${origin}/api/v1/sessions`;
    const body = {
      link: decodeURIComponent(pathname.split("/").at(-1)),
      resume_key: resumeKey,
      parameters,
    };
    const opened = await session.#call("POST", "", body);
    session.#base += `/${opened.session_id}`;
    session.#headers.Authorization = `Bearer ${opened.token}`;
    session.#take(opened.view);
    session.study = opened.view.study;
    return session;
  }

  #call(method, path, body) {
    const options = { method, headers: this.#headers, body: body && JSON.stringify(body) };
    return request(this.#base + path, options);
  }

  #take({ stage, trial, progress }) {
    Object.assign(this, { stage, trial, progress });
  }

  /** The item of an id, as the study describes it, its file by its whole address. */
  item(itemId) {
    const item = this.study.items.find(({ item_id: id }) => id === itemId);
    return item.src ? { ...item, src: new URL(item.src, this.#base).href } : item;
  }

  /** Say that a stage is done: "consent", "instructions" or "calibration". */
  async finishStage(stage, body = {}) {
    this.#take(await this.#call("PUT", `/stages/${stage}`, body));
  }

  /** Send the answer to the pending trial; resolves when it is on the server's disk. */
  async answer(response) {
    const body = { sequence: this.trial.sequence, ...response };
    this.#take(await this.#call("PUT", `/responses/${this.trial.trial_id}`, body));
  }

  /** Close the session; resolves to its completion code and address, if it has any. */
  async complete() {
    const { next_sequence: next } = await this.#call("GET", "");
    return this.#call("POST", "/completion", {
      n_responses: next - 1,
      last_sequence: next - 1,
    });
  }

  /** The favourite, the ranking, and what the times added. */
  estimate() {
    return this.#call("GET", "/estimate");
  }
}
