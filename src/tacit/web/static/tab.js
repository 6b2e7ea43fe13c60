/**
 * One tab holds a session at a time.
 *
 * Tabs talk over a BroadcastChannel; Web Locks would need https, which a lab's LAN may not have. A
 * tab that asks for the session gets it unless another one says that it holds it, and may then
 * take it over. A tab that crashed says nothing. Should two tabs ask in the same moment, the
 * smaller name wins; and whatever happens, the server takes each answer once.
 */

import { pause, uuid } from "./dom.js";

const PATIENCE_MS = 250;

export class Tab {
  #channel;
  #name = uuid();
  #state = "out";
  #refused = false;

  /** @param {string} key  what is held  @param {() => void} lost  called when another tab took it */
  constructor(key, lost) {
    this.#channel = new BroadcastChannel(`tacit ${key}`);
    this.#channel.onmessage = ({ data: { word, name } }) => {
      const first = this.#state === "holds" || (this.#state === "asks" && this.#name < name);
      if (word === "asks" && first) this.#tell("held");
      if (word === "held" && this.#state === "asks") this.#refused = true;
      if (word === "takes" && this.#state === "holds") {
        this.#state = "out";
        lost();
      }
    };
  }

  #tell(word) {
    this.#channel.postMessage({ word, name: this.#name });
  }

  /** Ask for the session; false when another tab holds it. */
  async ask() {
    this.#refused = false;
    this.#state = "asks";
    this.#tell("asks");
    await pause(PATIENCE_MS);
    this.#state = this.#refused ? "out" : "holds";
    return !this.#refused;
  }

  /** Take the session from whoever holds it. */
  take() {
    this.#tell("takes");
    this.#state = "holds";
  }
}
