/** Calls of the server that survive a bad network: what may be tried again is tried again. */

import { once, pause } from "./dom.js";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;
const TIMEOUT_MS = 20_000;

/** The server refused: its problem (RFC 9457) says why, and asking again would not help. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? String(status));
    this.status = status;
    this.problem = problem;
  }
}

/** The request did not get through, or the server is in trouble: worth another try. */
class Outage extends Error {}

async function attempt(method, path, token, body) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const options = {
    method,
    headers,
    body,
    cache: "no-store",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  let response, text;
  try {
    response = await fetch(path, options);
    text = await response.text();
  } catch (error) {
    throw new Outage("no answer", { cause: error });
  }
  if (response.status >= 500 || [408, 425, 429].includes(response.status))
    throw new Outage(`status ${response.status}`);
  let answer = {};
  try {
    answer = text ? JSON.parse(text) : {};
  } catch (error) {
    // A hotel's login page or a proxy answered instead of the server.
    throw new Outage("not JSON", { cause: error });
  }
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}

/** A client with one token. `connected` (bool) is told when the network goes and comes back. */
export class Client {
  constructor({ connected = () => {} } = {}) {
    this.token = null;
    this.connected = connected;
  }

  /** Try a call once. */
  once(method, path, body) {
    return attempt(method, `/api/v1${path}`, this.token, body && JSON.stringify(body));
  }

  /** Call until the server answers; only a refusal ends it. */
  async call(method, path, body, signal) {
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, LONGEST_DELAY_MS)) {
      try {
        const answer = await this.once(method, path, body);
        this.connected(true);
        return answer;
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        this.connected(false);
      }
      const waiting = new AbortController();
      const awhile = pause(delay * (0.75 + Math.random() / 2), signal);
      await Promise.race([awhile, once(window, "online", waiting.signal)]).finally(() =>
        waiting.abort(),
      );
    }
  }
}
