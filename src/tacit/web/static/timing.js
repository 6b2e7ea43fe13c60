/**
 * When something appeared on the screen, and when a person answered. No dependencies.
 *
 * All times are milliseconds of `performance.now()`, monotonic and unrounded.
 *
 * Onset. What is shown is laid out, decoded and hidden beforehand. It becomes visible inside an
 * animation frame; the time of the *next* frame is the onset: the earliest moment at which the
 * pixels can have been handed to the screen. The panel's own delay comes on top and is constant.
 *
 * Response. `event.timeStamp`, the moment at which the browser received the input, not the moment at
 * which a busy page ran its handler. That second moment is kept too, as `handler_ms`.
 *
 * Doubt. A time is valid unless something happened that could have moved it; every such thing is a
 * reason. The choice is kept in any case.
 *
 *   hidden      the tab was hidden
 *   blur        the window lost the keyboard
 *   resize      the window changed its size
 *   long_frame  a frame took more than three times its usual length, and more than 50 ms
 *   held_key    an answer key was down at the onset
 *   early_key   a press fell between show and onset
 *   clock_jump  the clock contradicts itself
 *   indirect    a click without a press, as assistive technology makes it
 */

const LONGEST_HANDLER_LAG_MS = 1000;
const SHORTEST_LONG_FRAME_MS = 50;

const held = new Map();
addEventListener("keydown", (event) => held.set(event.code, event.key.toLowerCase()), true);
addEventListener("keyup", (event) => held.delete(event.code), true);
addEventListener("blur", () => held.clear());

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

const median = (values) => values.slice().sort((a, b) => a - b)[values.length >> 1];

/** Smallest step of the clock, in ms. */
export function clockGrain(nSteps = 20) {
  let grain = Infinity;
  for (let step = 0; step < nSteps; step++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    grain = Math.min(grain, now - start);
  }
  return grain;
}

/** Usual length of a frame, in ms: the median of `nFrames`. */
export async function frameLength(nFrames = 40) {
  const lengths = [];
  let last = await nextFrame();
  while (lengths.length < nFrames) {
    const now = await nextFrame();
    lengths.push(now - last);
    last = now;
  }
  return median(lengths);
}

/** Watch for everything that makes a time doubtful, from a frame on. */
function watch(frame) {
  const reasons = new Set();
  const stop = new AbortController();
  const lengths = [];
  let last = frame;
  let request = requestAnimationFrame(function tick(now) {
    lengths.push(now - last);
    last = now;
    request = requestAnimationFrame(tick);
  });
  stop.signal.addEventListener("abort", () => cancelAnimationFrame(request));
  const note = (target, kind, reason) =>
    target.addEventListener(kind, () => reasons.add(reason), { signal: stop.signal });
  note(document, "visibilitychange", "hidden");
  note(window, "blur", "blur");
  note(window, "resize", "resize");
  if (document.hidden) reasons.add("hidden");
  // The frame that is under way counts as well.
  const longest = () => Math.max(...lengths, performance.now() - last);
  return { reasons, longest, stop: () => stop.abort() };
}

function choicesByKey(keys) {
  const choices = new Map();
  for (const [choice, names] of Object.entries(keys))
    for (const name of names) choices.set(name.toLowerCase(), choice);
  return choices;
}

/** Listen for presses that mean a choice. `heard(choice, event, input)` is told of each. */
function listen(keys, areas, heard, signal) {
  const choiceOf = choicesByKey(keys);
  const onKey = (event) => {
    const choice = choiceOf.get(event.key.toLowerCase());
    if (choice === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!event.repeat) heard(choice, event, "keyboard");
  };
  addEventListener("keydown", onKey, { signal, capture: true });
  for (const [choice, area] of Object.entries(areas)) {
    const onPointer = (event) => {
      if (event.isPrimary && event.button === 0) heard(choice, event, event.pointerType || "mouse");
    };
    area.addEventListener("pointerdown", onPointer, { signal });
    const onClick = (event) => event.detail === 0 && heard(choice, event, "keyboard");
    area.addEventListener("click", onClick, { signal });
  }
}

/** Wait for `ms`, anew after a press that comes too early; returns the last frame and their length. */
async function foreperiod(ms, keys, areas, onEarly, signal) {
  const listening = new AbortController();
  const lengths = [];
  let frame = await nextFrame();
  let start = frame;
  const restart = (_choice, event) => {
    start = performance.now();
    onEarly(event);
  };
  listen(keys, areas, restart, listening.signal);
  try {
    do {
      signal?.throwIfAborted();
      const last = frame;
      frame = await nextFrame();
      lengths.push(frame - last);
    } while (frame - start < ms);
  } finally {
    listening.abort();
  }
  return { frame, frameMs: median(lengths) };
}

/**
 * Show something after a while, and time the choice that answers it.
 *
 * @param {object} trial
 * @param {() => void} trial.show  makes the prepared things visible; called inside a frame
 * @param {Object<string, string[]>} trial.keys  `KeyboardEvent.key` names of each choice
 * @param {Object<string, Element>} trial.areas  what is pressed for each choice
 * @param {number} trial.foreperiodMs  blank time before; presses in it start it again
 * @param {(event: Event) => void} [trial.onEarly]  told of a press that came too early
 * @param {() => Promise<number>} [trial.onset]  another stamp of the onset, as for sound
 * @param {string[]} [trial.reasons]  reasons for doubt that are known beforehand
 * @param {AbortSignal} [trial.signal]  gives the trial up; the promise rejects with its reason
 * @returns {Promise<object>} choice, onset_ms, response_ms, handler_ms, frame_ms, input,
 *   time_valid, reasons
 */
export async function timeChoice(trial) {
  const { show, keys, areas, foreperiodMs, onEarly = () => {}, onset, signal } = trial;
  const { frame, frameMs } = await foreperiod(foreperiodMs, keys, areas, onEarly, signal);
  const watching = watch(frame);
  const listening = new AbortController();
  for (const reason of trial.reasons ?? []) watching.reasons.add(reason);
  const choiceOf = choicesByKey(keys);
  if ([...held.values()].some((key) => choiceOf.has(key))) watching.reasons.add("held_key");
  // Until it is stamped, the onset is the frame that is due: a late frame must not swallow a press.
  let onsetMs = onset ? Infinity : frame + frameMs;
  try {
    const answered = new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      const heard = (choice, event, input) => {
        const handlerMs = performance.now();
        if (event.timeStamp < onsetMs) watching.reasons.add("early_key");
        else resolve({ choice, event, input, handlerMs });
      };
      listen(keys, areas, heard, listening.signal);
    });
    show();
    onsetMs = await (onset ?? nextFrame)();
    return report(await answered, onsetMs, frameMs, watching);
  } finally {
    listening.abort();
    watching.stop();
  }
}

function report({ choice, event, input, handlerMs }, onsetMs, frameMs, { reasons, longest }) {
  const lag = handlerMs - event.timeStamp;
  if (lag < 0 || lag > LONGEST_HANDLER_LAG_MS) reasons.add("clock_jump");
  if (event.type === "click") reasons.add("indirect");
  const limit = Math.max(3 * frameMs, SHORTEST_LONG_FRAME_MS);
  if (longest() > limit) reasons.add("long_frame");
  return {
    choice,
    onset_ms: onsetMs,
    response_ms: event.timeStamp,
    handler_ms: handlerMs,
    frame_ms: frameMs,
    input,
    time_valid: reasons.size === 0,
    reasons: [...reasons],
  };
}
