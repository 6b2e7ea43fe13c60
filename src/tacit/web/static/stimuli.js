/** Items as people see or hear them; loaded and decoded before they are needed. */

import { el, pause } from "./dom.js";

const N_TRIES = 4;
const FIRST_DELAY_MS = 500;
const GAP_S = 0.3;

const faces = {
  text: (item) => el("span", { class: "face-text", dir: "auto" }, item.text ?? item.name),
  type: (item) => {
    const specimen = el("span", { class: "face-type", dir: "auto" }, item.text ?? item.name);
    specimen.style.fontFamily = item.font;
    return specimen;
  },
  image: (item) => el("img", { class: "face-image", src: item.src, alt: "", draggable: "false" }),
  colours: (item) => {
    const swatches = item.colours.map((colour) => {
      const swatch = el("span");
      swatch.style.backgroundColor = colour;
      return swatch;
    });
    return el("span", { class: "face-colours" }, swatches);
  },
  audio: () =>
    el("span", { class: "face-audio", "aria-hidden": "true" }, el("i"), el("i"), el("i")),
};

async function persist(load) {
  for (let n = 1, delay = FIRST_DELAY_MS; ; n++, delay *= 2) {
    try {
      return await load();
    } catch (error) {
      if (n === N_TRIES) throw error;
      await pause(delay);
    }
  }
}

/** Everything that a study shows. */
export class Stimuli {
  #items;
  #faces = new Map();
  #sounds = new Map();
  #ready = new Map();
  #audio = null;

  constructor(items) {
    this.#items = new Map(items.map((item) => [item.item_id, item]));
  }

  item(itemId) {
    return this.#items.get(itemId);
  }

  /** What a screen reader says. */
  label(itemId) {
    const item = this.item(itemId);
    return item.alt || item.name;
  }

  /** A new element that shows the item. */
  face(itemId) {
    const item = this.item(itemId);
    return faces[item.kind](item);
  }

  /** The one element of the item that trials show: it stays decoded. */
  trialFace(itemId) {
    if (!this.#faces.has(itemId)) this.#faces.set(itemId, this.face(itemId));
    return this.#faces.get(itemId);
  }

  /** Resolve to whether the item can be shown at once: decoded, its fonts loaded. */
  ready(itemId) {
    if (!this.#ready.has(itemId)) {
      const loaded = persist(() => this.#load(itemId)).then(
        () => true,
        () => (this.#ready.delete(itemId), false),
      );
      this.#ready.set(itemId, loaded);
    }
    return this.#ready.get(itemId);
  }

  async #load(itemId) {
    const item = this.item(itemId);
    if (item.kind === "image") {
      const image = this.trialFace(itemId);
      if (image.complete && !image.naturalWidth) image.src = item.src;
      await image.decode();
    } else if (item.kind === "audio") {
      const response = await fetch(item.src);
      if (!response.ok) throw new Error(`status ${response.status}`);
      const bytes = await response.arrayBuffer();
      this.#audio ??= new AudioContext();
      this.#sounds.set(itemId, await this.#audio.decodeAudioData(bytes));
    } else {
      if (item.font) await document.fonts.load(`1em ${item.font}`, item.text ?? item.name);
      await document.fonts.ready;
    }
  }

  /** Load everything, one after the other, while the person reads. */
  async loadAll() {
    for (const itemId of this.#items.keys()) await this.ready(itemId);
  }

  /**
   * Play the left sound, then the right one; null where a trial has no sounds.
   *
   * @returns {null | (() => Promise<number>)} stamp of the onset: when the second sound starts, for
   *   only then can the two be compared
   */
  player(left, right) {
    const sounds = [left, right].map((itemId) => this.#sounds.get(itemId));
    if (!sounds.some(Boolean)) return null;
    return async () => {
      await this.#audio.resume();
      let at = this.#audio.currentTime + 0.05;
      let onset = at;
      for (const sound of sounds.filter(Boolean)) {
        const source = new AudioBufferSourceNode(this.#audio, { buffer: sound });
        source.connect(this.#audio.destination);
        source.start(at);
        onset = at;
        at += sound.duration + GAP_S;
      }
      const { contextTime, performanceTime } = this.#audio.getOutputTimestamp();
      const onsetMs = performanceTime + 1000 * (onset - contextTime);
      await pause(Math.max(0, onsetMs - performance.now()));
      return onsetMs;
    };
  }
}
