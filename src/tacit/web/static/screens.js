/** Screens to read and to press a button on. Each resolves when the person goes on. */

import { el, keyCaps, once } from "./dom.js";

const heading = (text) => el("h1", { tabindex: "-1", dir: "auto" }, text);
const paragraphs = (text) =>
  text.split(/\n\s*\n/).map((part) => el("p", { dir: "auto" }, part.trim()));
const primary = (text, properties) =>
  el("button", { class: "primary", type: "button", ...properties }, text);

/** A quiet page with a heading, some text and buttons. */
export function page(title, body, ...actions) {
  const buttons = actions.length ? el("div", { class: "actions" }, actions) : null;
  return el("section", { class: "page" }, heading(title), body, buttons);
}

export async function consent({ session, words, show }, signal) {
  const { study } = session.view;
  const begin = primary(words.say("begin"));
  const box = el("input", { type: "checkbox", id: "agree" });
  const label = el(
    "label",
    { class: "check", for: "agree" },
    box,
    el("span", {}, words.say("agree")),
  );
  const problem = el("p", { class: "problem", role: "alert" });
  const text = el("div", { class: "prose", lang: study.language }, paragraphs(study.consent.text));
  const note = el(
    "p",
    { class: "fine" },
    words.say("consent_version", { version: study.consent.version }),
  );
  show(page(study.title, [text, label, problem, note], begin));
  for (;;) {
    await once(begin, "click", signal);
    if (box.checked) break;
    problem.textContent = words.say("agree_first");
    box.focus();
  }
  await session.finishStage("consent", { consent_version: study.consent.version, agreed: true });
}

function guide(words, keys) {
  const row = (kind, caps, text) => el("li", { class: kind }, caps, el("span", {}, text));
  return el(
    "ul",
    { class: "guide" },
    row("by-key", keyCaps([words.say("space")]), words.say("guide_ready_key")),
    row("by-key", keyCaps(keys.left), words.say("guide_left_key")),
    row("by-key", keyCaps(keys.right), words.say("guide_right_key")),
    row("by-touch", null, words.say("guide_ready_touch")),
    row("by-touch", null, words.say("guide_choose_touch")),
  );
}

export async function instructions({ session, words, show }, signal) {
  const { study } = session.view;
  const steps = study.instructions.map((text) => el("li", { dir: "auto" }, text));
  const list = el("ol", { class: "steps", lang: study.language }, steps);
  const go = primary(words.say("continue"));
  show(page(words.say("instructions_title"), [list, guide(words, study.keys)], go));
  await once(go, "click", signal);
  await session.finishStage("instructions");
}

/** Before practice and before the questions that count. */
export async function interlude({ words, show }, name, values, signal) {
  const go = primary(words.say("start"));
  const text = el("p", { class: "lead" }, words.say(`${name}_text`, values));
  show(page(words.say(`${name}_title`), text, go));
  await once(go, "click", signal);
}

export async function rest({ session, words, show }, signal) {
  const { n_answered: n, share_done: share } = session.view.progress;
  const go = primary(words.say("continue"));
  const text = el(
    "p",
    { class: "lead" },
    words.say("break_text", { n, share: words.percent(share) }),
  );
  show(page(words.say("break_title"), text, go));
  session.note("break_start");
  await once(go, "click", signal);
  session.note("break_end");
}

/** A page that ends or interrupts: `name` picks its words; resolves when its button is pressed. */
export async function notice({ words, show }, name, { action = null, detail = null } = {}) {
  const go = action && primary(words.say(action));
  const body = [el("p", { class: "lead" }, words.say(`${name}_text`))];
  if (detail) body.push(el("p", { class: "fine" }, detail));
  show(page(words.say(`${name}_title`), body, ...(go ? [go] : [])));
  if (!go) return new Promise(() => {});
  return once(go, "click");
}

/** Ask how to stop; resolves to "keep", "erase" or "" (go on). */
export async function askToStop(words) {
  const choose = (value, text, kind) => el("button", { class: kind, value, type: "submit" }, text);
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", { id: "stop-title" }, words.say("stop_title")),
    el("p", {}, words.say("stop_text")),
    el(
      "div",
      { class: "actions column" },
      choose("", words.say("stop_go_on"), "primary"),
      choose("keep", words.say("stop_keep"), "secondary"),
      choose("erase", words.say("stop_erase"), "secondary danger"),
    ),
  );
  const dialog = el("dialog", { "aria-labelledby": "stop-title" }, form);
  document.body.append(dialog);
  dialog.showModal();
  await once(dialog, "close");
  dialog.remove();
  return dialog.returnValue;
}
