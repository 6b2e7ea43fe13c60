/**
 * Answers and events on this device until the server has confirmed them: on its disk, or, in a
 * browser that refuses to store anything, in the memory of the page.
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

/** Rows on the disk of this device. */
class Disk {
  constructor(database, sessionId) {
    this.database = database;
    this.sessionId = sessionId;
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

  put(store, row) {
    return this.#write(store, (rows) => rows.put({ session_id: this.sessionId, ...row }));
  }

  drop(store, keys) {
    return this.#write(store, (rows) => {
      for (const key of keys) rows.delete([this.sessionId, key]);
    });
  }

  async rows(store) {
    const index = this.database.transaction(store).objectStore(store).index("session");
    const found = await done(index.getAll(this.sessionId));
    return found.map(({ session_id: _, ...row }) => row);
  }
}

/** The same for as long as the page is open, where the browser stores nothing. */
class Memory {
  #stores = { responses: new Map(), events: new Map() };

  async put(store, row) {
    this.#stores[store].set(row[STORES[store]], row);
  }

  async drop(store, keys) {
    for (const key of keys) this.#stores[store].delete(key);
  }

  async rows(store) {
    return [...this.#stores[store].values()];
  }
}

/** What one session still has to deliver. */
export class Outbox {
  #shelf;
  #unconfirmed = new Set();

  constructor(shelf) {
    this.#shelf = shelf;
  }

  /** Open the outbox of a session: on disk, or in memory where the browser stores nothing. */
  static async open(sessionId) {
    try {
      return new Outbox(new Disk(await open(), sessionId));
    } catch {
      return new Outbox(new Memory());
    }
  }

  /** Whether what it holds outlives the page. */
  get isSaved() {
    return this.#shelf instanceof Disk;
  }

  /** Whether an answer would be lost if the page were closed now. */
  get wouldLose() {
    return !this.isSaved && this.#unconfirmed.size > 0;
  }

  async #put(store, row) {
    try {
      await this.#shelf.put(store, row);
    } catch {
      // The disk is full, or the permission is gone: go on without.
      const memory = new Memory();
      for (const name of Object.keys(STORES))
        for (const earlier of await this.#shelf.rows(name).catch(() => []))
          await memory.put(name, earlier);
      await memory.put(store, row);
      this.#shelf = memory;
    }
  }

  /** Store an answer; resolves when it is as safe as this browser can make it. */
  putResponse(trialId, body, confirmed = false) {
    if (confirmed) this.#unconfirmed.delete(trialId);
    else this.#unconfirmed.add(trialId);
    return this.#put("responses", { trial_id: trialId, body, confirmed });
  }

  /** All answers of the session, in their order: {trial_id, body, confirmed}. */
  async responses() {
    const rows = await this.#shelf.rows("responses");
    return rows.sort((a, b) => a.body.sequence - b.body.sequence);
  }

  putEvent(event) {
    return this.#put("events", event);
  }

  events() {
    return this.#shelf.rows("events");
  }

  dropEvents(events) {
    const keys = events.map(({ event_id: key }) => key);
    return this.#shelf.drop("events", keys);
  }

  /** Forget everything of the session. */
  async clear() {
    for (const [name, key] of Object.entries(STORES)) {
      const rows = await this.#shelf.rows(name);
      const keys = rows.map((row) => row[key]);
      await this.#shelf.drop(name, keys);
    }
  }
}
