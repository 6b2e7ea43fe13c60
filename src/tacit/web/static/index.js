/** The first page: every demo that this server offers in the visitor's language gets its link. */

import { Client } from "./api.js";
import { el } from "./dom.js";
import { loadMessages, setLanguage } from "./messages.js";

const FALLBACK = "en";

const nav = document.getElementById("demos");
const cards = new Map(Array.from(nav.children, (card) => [card.dataset.study, card]));

function plainCard({ question }) {
  return el(
    "a",
    { class: "demo" },
    el("strong", { dir: "auto" }),
    el("span", { dir: "auto" }, question),
  );
}

/** The demos in the language of the page; in English where it has none. */
function inLanguage(demos, language) {
  const own = demos.filter((demo) => demo.language === language);
  return own.length > 0 ? own : demos.filter((demo) => demo.language === FALLBACK);
}

const [words, demos] = await Promise.all([
  loadMessages(navigator.languages),
  new Client().call("GET", "/demos"),
]);
setLanguage(words);
document.title = words.say("index_name");
for (const node of document.querySelectorAll("[data-say]"))
  node.textContent = words.say(node.dataset.say);
for (const node of document.querySelectorAll("[data-label]"))
  node.setAttribute("aria-label", words.say(node.dataset.label));
nav.replaceChildren(
  ...inLanguage(demos, words.language).map((demo) => {
    const card = cards.get(demo.demo) ?? plainCard(demo);
    card.href = `/s/${encodeURIComponent(demo.link)}`;
    card.querySelector("strong").textContent = demo.title;
    return card;
  }),
);
document.getElementById("invited").hidden = demos.length > 0;
