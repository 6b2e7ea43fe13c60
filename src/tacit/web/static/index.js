/** The first page: every demo that this server offers gets its link. */

import { Client } from "./api.js";
import { el } from "./dom.js";

const nav = document.getElementById("demos");
const cards = new Map(Array.from(nav.children, (card) => [card.dataset.study, card]));

function plainCard({ title, question }) {
  return el(
    "a",
    { class: "demo" },
    el("strong", { dir: "auto" }, title),
    el("span", { dir: "auto" }, question),
  );
}

const demos = await new Client().call("GET", "/demos");
nav.replaceChildren(
  ...demos.map((demo) => {
    const card = cards.get(demo.study_id) ?? plainCard(demo);
    card.href = `/s/${encodeURIComponent(demo.link)}`;
    return card;
  }),
);
document.getElementById("invited").hidden = demos.length > 0;
