/** The experimenter's dashboard: log in, pick a study, watch it live, make links, export. */

import { Client, Refusal } from "./api.js";
import { bars, histogram } from "./charts.js";
import { el, once } from "./dom.js";
import { loadMessages, setLanguage } from "./messages.js";

const STAGES = [
  "consent",
  "instructions",
  "calibration",
  "practice",
  "main",
  "result",
  "withdrawn",
];
const FORMATS = ["csv", "parquet", "jsonl", "psych-ds", "bids"];
const LINK_KINDS = ["reusable", "single", "preview"];
const N_LEADERS = 8;

const main = document.getElementById("main");
const live = document.getElementById("live");

class Dashboard {
  #source = null;

  constructor(words) {
    this.words = words;
    this.client = new Client({ connected: (well) => well || this.#state("away") });
  }

  #state(state) {
    live.dataset.state = state;
    live.textContent = this.words.say(`live_${state}`);
  }

  async logIn() {
    const { words } = this;
    const password = el("input", {
      type: "password",
      autocomplete: "current-password",
      required: true,
    });
    const problem = el("p", { class: "problem", role: "alert" });
    const form = el(
      "form",
      { class: "login" },
      el("h1", {}, words.say("login_title")),
      el("p", { class: "fine" }, words.say("login_text")),
      el("label", {}, words.say("password"), password),
      problem,
      el("button", { class: "primary", type: "submit" }, words.say("login")),
    );
    main.replaceChildren(form);
    password.focus();
    for (;;) {
      (await once(form, "submit")).preventDefault();
      try {
        return await this.client.call("POST", "/login", { password: password.value });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        problem.textContent = error.message;
        password.select();
      }
    }
  }

  async studies() {
    for (;;) {
      try {
        return await this.client.call("GET", "/studies");
      } catch (error) {
        if (![401, 403].includes(error.status)) throw error;
        await this.logIn();
      }
    }
  }

  async start() {
    const studies = await this.studies();
    const wanted = () => decodeURIComponent(location.hash.slice(1)) || studies[0]?.study_id;
    const open = async () => {
      const study = studies.find(({ study_id: id }) => id === wanted()) ?? studies[0];
      this.#menu(studies, study);
      if (study)
        this.#open(await this.client.call("GET", `/studies/${encodeURIComponent(study.study_id)}`));
      else main.replaceChildren(el("p", { class: "lead" }, this.words.say("no_studies")));
    };
    addEventListener("hashchange", open);
    await open();
  }

  #menu(studies, current) {
    const entries = studies.map((study) => {
      const attributes = { href: `#${encodeURIComponent(study.study_id)}`, dir: "auto" };
      if (study === current) attributes["aria-current"] = "page";
      return el("a", attributes, study.title);
    });
    document.getElementById("studies").replaceChildren(...entries);
  }

  #open(study) {
    const { words } = this;
    this.#source?.close();
    const board = el("div", { class: "study" });
    const path = `/studies/${encodeURIComponent(study.study_id)}`;
    main.replaceChildren(
      el(
        "div",
        { class: "study" },
        el("h1", { dir: "auto" }, study.title),
        board,
        el("div", { class: "panels" }, this.#links(path), this.#export(path)),
      ),
    );
    this.#state("connecting");
    this.#source = new EventSource(`/api/v1${path}/live`);
    this.#source.onerror = () => this.#state("away");
    this.#source.addEventListener("summary", ({ data }) => {
      this.#state("live");
      board.replaceChildren(...summaryPanels(words, JSON.parse(data), this.#namer(study)));
    });
  }

  #namer(study) {
    const names = new Map(study.items.map((item) => [item.item_id, item.name]));
    return (itemId) => (itemId === null ? "" : (names.get(itemId) ?? itemId));
  }

  #links(path) {
    const { words } = this;
    const options = LINK_KINDS.map((kind) =>
      el("option", { value: kind }, words.say(`link_${kind}`)),
    );
    const kind = el("select", {}, options);
    const count = el("input", { type: "number", min: 1, max: 1000, value: 1, required: true });
    const made = el("div", { role: "status" });
    const form = el(
      "form",
      { class: "row" },
      el("label", {}, words.say("link_kind"), kind),
      el("label", {}, words.say("link_count"), count),
      el("button", { class: "primary", type: "submit" }, words.say("link_make")),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const wish = { kind: kind.value, n: Number(count.value) };
      try {
        const links = await this.client.call("POST", `${path}/links`, wish);
        const entries = links.map(({ url }) =>
          el("li", {}, el("a", { href: url }, el("code", {}, url))),
        );
        made.replaceChildren(el("ul", { class: "made" }, entries));
      } catch (error) {
        made.replaceChildren(el("p", { class: "problem" }, error.message));
      }
    });
    return el("section", { class: "panel" }, el("h2", {}, words.say("links_title")), form, made);
  }

  #export(path) {
    const { words } = this;
    const links = FORMATS.map((format) => {
      const href = `/api/v1${path}/export?table=all&format=${format}`;
      return el("a", { class: "secondary", href, download: true }, words.say(`format_${format}`));
    });
    const text = el("p", { class: "fine" }, words.say("export_text"));
    return el(
      "section",
      { class: "panel" },
      el("h2", {}, words.say("export_title")),
      text,
      el("div", { class: "row" }, links),
    );
  }
}

function panel(title, ...content) {
  return el("section", { class: "panel" }, el("h2", {}, title), content);
}

function summaryPanels(words, summary, name) {
  return [
    tiles(words, summary),
    el(
      "div",
      { class: "panels" },
      panel(words.say("stages_title"), stages(words, summary)),
      panel(words.say("times_histogram_title"), times(words, summary)),
      panel(words.say("leaders_title"), leaders(words, summary, name)),
    ),
    panel(words.say("recent_title"), recent(words, summary, name)),
  ];
}

function tiles(words, { sessions, n_answers: answers, invalid_share: invalid }) {
  const total = Object.values(sessions).reduce((sum, count) => sum + count, 0);
  const { result: finished = 0, withdrawn = 0 } = sessions;
  const tile = (key, value) =>
    el("div", { class: "tile" }, el("dt", {}, words.say(key)), el("dd", {}, value));
  return el(
    "dl",
    { class: "tiles" },
    tile("tile_sessions", words.number(total)),
    tile("tile_active", words.number(total - finished - withdrawn)),
    tile("tile_finished", words.number(finished)),
    tile("tile_answers", words.number(answers)),
    tile("tile_invalid", invalid === null ? "–" : words.percent(invalid)),
  );
}

function stages(words, { sessions }) {
  const total = Math.max(1, ...Object.values(sessions));
  const rows = STAGES.filter((stage) => sessions[stage]).map((stage) => ({
    name: words.say(`stage_${stage}`),
    share: sessions[stage] / total,
    text: words.number(sessions[stage]),
  }));
  if (rows.length === 0) return el("p", { class: "fine" }, words.say("nobody_yet"));
  return bars(rows, { label: rows.map(({ name, text }) => `${name}: ${text}`).join(", ") });
}

function times(words, { rt_histogram: { edges, counts } }) {
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (n === 0) return el("p", { class: "fine" }, words.say("no_times_yet"));
  const format = (edge) => words.seconds(edge, edge % 1 === 0 ? 0 : 2);
  return histogram(edges, counts, { label: words.say("times_histogram_label", { n }), format });
}

function leaders(words, summary, name) {
  const rows = summary.leaders
    .slice(0, N_LEADERS)
    .map(({ item_id: id, n_leading: n, mean_probability: share }) => ({
      name: name(id),
      share,
      text: words.say("leads_in", { n, share: words.percent(share) }),
    }));
  if (rows.length === 0) return el("p", { class: "fine" }, words.say("no_leaders_yet"));
  return bars(rows, { label: rows.map((row) => `${row.name}: ${row.text}`).join(", ") });
}

function recent(words, summary, name) {
  if (summary.recent.length === 0) return el("p", { class: "fine" }, words.say("nobody_yet"));
  const heads = ["session", "stage", "progress", "answers", "favourite", "chance"];
  const numbers = new Set(["answers", "chance"]);
  const head = heads.map((key) =>
    el(
      "th",
      { scope: "col", class: numbers.has(key) ? "number" : false },
      words.say(`column_${key}`),
    ),
  );
  const rows = summary.recent.map((session) =>
    el(
      "tr",
      {},
      el("td", {}, el("code", {}, session.session_id.slice(0, 8))),
      el("td", {}, words.say(`stage_${session.stage}`)),
      el(
        "td",
        {},
        el("progress", {
          max: 1,
          value: session.share_done,
          "aria-label": words.say("progress"),
        }),
      ),
      el("td", { class: "number" }, words.number(session.n_answered)),
      el("td", { dir: "auto" }, name(session.favourite)),
      el(
        "td",
        { class: "number" },
        session.probability === null ? "–" : words.percent(session.probability),
      ),
    ),
  );
  const table = el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
  // A region that scrolls must be reachable by keyboard.
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": words.say("recent_title") },
    table,
  );
}

const words = await loadMessages(navigator.languages);
setLanguage(words);
document.title = words.say("dashboard_title");
new Dashboard(words).start();
