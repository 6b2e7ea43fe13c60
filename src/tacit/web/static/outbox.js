/**
 * Answers and events on this device until the server has confirmed them.
 *
 * An answer is stored before it is sent and stays, marked as confirmed, until the whole session
 * is: should the server have lost one (a backup was restored), it is sent again.
 */

const DATABASE = "tacit";
const STORES = { responses: "trial_id", events: "event_id" };

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function open() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    for (const [name, key] of Object.entries(STORES)) {
      const store = request.result.createObjectStore(name, { keyPath: ["session_id", key] });
      store.createIndex("session", "session_id");
    }
  };
  return done(request);
}

/** What one session still has to deliver. */
export class Outbox {
  constructor(database, sessionId) {
    this.database = database;
    this.sessionId = sessionId;
  }

  /** Open the outbox of a session; fails where the browser stores nothing. */
  static async open(sessionId) {
    return new Outbox(await open(), sessionId);
  }

  #write(store, work) {
    const transaction = this.database.transaction(store, "readwrite", { durability: "strict" });
    const finished = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
    work(transaction.objectStore(store));
    return finished;
  }

  #rows(store) {
    const index = this.database.transaction(store).objectStore(store).index("session");
    return done(index.getAll(this.sessionId));
  }

  /** Store an answer; resolves when it is on disk. */
  putResponse(trialId, body, confirmed = false) {
    const row = { session_id: this.sessionId, trial_id: trialId, body, confirmed };
    return this.#write("responses", (store) => store.put(row));
  }

  /** All answers of the session, in their order: {trial_id, body, confirmed}. */
  async responses() {
    const rows = await this.#rows("responses");
    return rows.sort((a, b) => a.body.sequence - b.body.sequence);
  }

  putEvent(event) {
    const row = { session_id: this.sessionId, ...event };
    return this.#write("events", (store) => store.put(row));
  }

  async events() {
    const rows = await this.#rows("events");
    return rows.map(({ session_id: _, ...event }) => event);
  }

  dropEvents(events) {
    return this.#write("events", (store) => {
      for (const { event_id } of events) store.delete([this.sessionId, event_id]);
    });
  }

  /** Forget everything of the session. */
  async clear() {
    for (const [name, key] of Object.entries(STORES)) {
      const rows = await this.#rows(name);
      await this.#write(name, (store) => {
        for (const row of rows) store.delete([this.sessionId, row[key]]);
      });
    }
  }
}
