/** A page for jsPsych, made before it is loaded, and somebody who presses keys there. */

import { JSDOM } from "jsdom";

const dom = new JSDOM("<!doctype html><body></body>", { pretendToBeVisual: true });
for (const name of [
  "window",
  "document",
  "HTMLElement",
  "Event",
  "KeyboardEvent",
  "Image",
  "CustomEvent",
])
  globalThis[name] = name === "window" ? dom.window : dom.window[name];
globalThis.requestAnimationFrame = dom.window.requestAnimationFrame.bind(dom.window);

/** Press a key again and again. */
export function press(key) {
  return setInterval(() => {
    const target = document.querySelector(".jspsych-display-element");
    for (const kind of ["keydown", "keyup"])
      target?.dispatchEvent(new KeyboardEvent(kind, { key, code: `Key${key}`, bubbles: true }));
  }, 120);
}
