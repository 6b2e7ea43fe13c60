/** A jsPsych 8 plugin whose questions come from a tacit server. */

import { ParameterType } from "jspsych";

export { TacitSession } from "./session.js";

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

function draw(item) {
  const option = document.createElement("div");
  if (item.kind === "image") {
    const image = new Image();
    // The server lets only pages of origins that it allows show its files.
    image.crossOrigin = "anonymous";
    image.src = item.src;
    image.alt = item.alt ?? item.name;
    option.append(image);
  } else {
    option.textContent = item.text ?? item.name;
  }
  return option;
}

/** One question: two options, a key for each. The answer is sent before the trial ends. */
export class TacitChoicePlugin {
  static info = {
    name: "tacit-choice",
    version: "0.1.0",
    parameters: {
      /** An open `TacitSession`. */
      session: { type: ParameterType.OBJECT, default: undefined },
      /** Keys that choose the left and the right option. */
      left_key: { type: ParameterType.KEY, default: "f" },
      right_key: { type: ParameterType.KEY, default: "j" },
      /** Makes the element that shows an item. */
      draw: { type: ParameterType.FUNCTION, default: draw },
    },
    data: {
      trial_id: { type: ParameterType.STRING },
      left: { type: ParameterType.STRING },
      right: { type: ParameterType.STRING },
      choice: { type: ParameterType.STRING },
      /** Milliseconds from onset to key press. */
      rt: { type: ParameterType.FLOAT },
      time_valid: { type: ParameterType.BOOL },
    },
  };

  constructor(jsPsych) {
    this.jsPsych = jsPsych;
  }

  async trial(display, { session, left_key: leftKey, right_key: rightKey, draw: makeElement }) {
    const { trial_id, left, right, shown_before: shownBefore } = session.trial;
    const reasons = new Set(shownBefore ? ["resumed"] : []);
    const hidden = () => reasons.add("hidden");
    const pair = document.createElement("div");
    pair.className = "tacit-choice";
    pair.style.cssText =
      "display:flex;gap:4rem;justify-content:center;align-items:center;font-size:2rem";
    pair.append(makeElement(session.item(left)), makeElement(session.item(right)));
    const images = [...pair.querySelectorAll("img")];
    await Promise.all(images.map((image) => image.decode()));
    document.addEventListener("visibilitychange", hidden);
    await nextFrame();
    display.replaceChildren(pair);
    await nextFrame();
    const { key, onset, rt } = await this.#key([leftKey, rightKey]);
    document.removeEventListener("visibilitychange", hidden);
    const choice = key === leftKey ? "left" : "right";
    const answer = {
      choice,
      onset_ms: onset,
      response_ms: onset + rt,
      input: "keyboard",
      time_valid: reasons.size === 0,
      reasons: [...reasons],
      clock: { kind: "jspsych performance.now" },
    };
    display.replaceChildren();
    await session.answer(answer);
    this.jsPsych.finishTrial({
      trial_id,
      left,
      right,
      choice,
      rt,
      time_valid: answer.time_valid,
    });
  }

  #key(validResponses) {
    return new Promise((resolve) => {
      const onset = performance.now();
      this.jsPsych.pluginAPI.getKeyboardResponse({
        callback_function: ({ key, rt }) => resolve({ key, onset, rt }),
        valid_responses: validResponses,
        rt_method: "performance",
        persist: false,
        allow_held_key: false,
      });
    });
  }
}

/** A timeline that asks until the server has no question left. */
export function tacitTimeline(session, parameters = {}) {
  return {
    timeline: [{ type: TacitChoicePlugin, session, ...parameters }],
    conditional_function: () => session.trial !== null,
    loop_function: () => session.trial !== null,
  };
}

export default TacitChoicePlugin;
