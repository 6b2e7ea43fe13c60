/** What was learned about the person, and what the times added to the choices. */

import { el, svg } from "./dom.js";
import { forget } from "./session.js";

const Z_80 = 1.2816;
const N_RANKED = 8;
const AXIS_MARGIN = 0.04;

function meter(share, kind, label) {
  return svg(
    "svg",
    { class: `meter ${kind}`, role: "img", "aria-label": label },
    svg("rect", { class: "track", width: "100%", height: "100%", rx: 6 }),
    svg("rect", { class: "value", width: `${100 * share}%`, height: "100%", rx: 6 }),
  );
}

/** Where an item's utility lies: a dot and its 80 % interval on a shared axis. */
function whisker({ utility, sd }, low, high, label) {
  const at = (value) => `${(100 * (value - low)) / (high - low)}%`;
  return svg(
    "svg",
    { class: "whisker", role: "img", "aria-label": label },
    svg("line", { class: "axis", x1: "0", x2: "100%", y1: "50%", y2: "50%" }),
    svg("line", {
      class: "range",
      x1: at(utility - Z_80 * sd),
      x2: at(utility + Z_80 * sd),
      y1: "50%",
      y2: "50%",
    }),
    svg("circle", { cx: at(utility), cy: "50%", r: 5 }),
  );
}

function axis(rows) {
  const low = Math.min(...rows.map(({ utility, sd }) => utility - Z_80 * sd));
  const high = Math.max(...rows.map(({ utility, sd }) => utility + Z_80 * sd));
  const margin = AXIS_MARGIN * (high - low);
  return [low - margin, high + margin];
}

/** A probability as people read it: neither "0%" nor "100%" of what is merely unlikely or likely. */
function chance(words, probability) {
  if (probability === null) return words.say("unknown");
  if (probability < 0.005) return words.say("chance_below", { share: words.percent(0.01) });
  if (probability > 0.995) return words.say("chance_above", { share: words.percent(0.99) });
  return words.percent(probability);
}

function ranking({ words, stimuli }, rows) {
  const [low, high] = axis(rows);
  const line = (row, place) => {
    const name = stimuli.item(row.item_id).name;
    const best = chance(words, row.probability_best);
    const label = words.say("whisker", { name, best });
    return el(
      "li",
      {},
      el("span", { class: "place" }, words.number(place + 1)),
      el("span", { class: "thumb", "aria-hidden": "true" }, stimuli.face(row.item_id)),
      el("span", { class: "name", dir: "auto" }, name),
      whisker(row, low, high, label),
      el("span", { class: "share" }, best),
    );
  };
  const shown = rows.slice(0, N_RANKED).map(line);
  const more = rows.slice(N_RANKED).map((row, place) => line(row, place + N_RANKED));
  const list = el("ol", { class: "ranking" }, shown);
  if (more.length === 0) return list;
  const rest = el("ol", { class: "ranking" }, more);
  const summary = el("summary", {}, words.say("ranking_more", { n: more.length }));
  return [list, el("details", {}, summary, rest)];
}

/** Whether there is anything to say of what the times changed. */
function timesTold({ probability, n_timed: n, choice_only: alone }) {
  return n > 0 && probability !== null && alone.probability !== null;
}

function verdict({ words, stimuli }, { favourite, probability, choice_only: alone }) {
  const values = {
    name: stimuli.item(favourite).name,
    other: stimuli.item(alone.favourite).name,
    before: chance(words, alone.probability),
    after: chance(words, probability),
  };
  if (favourite !== alone.favourite) return words.say("times_changed", values);
  return words.say(probability > alone.probability ? "times_surer" : "times_less_sure", values);
}

function comparison(visit, estimate) {
  const { words, stimuli } = visit;
  const row = (kind, { favourite, probability }) => {
    const share = chance(words, probability);
    const name = stimuli.item(favourite).name;
    return el(
      "div",
      { class: "compared" },
      el("p", {}, el("strong", {}, words.say(kind)), " ", el("span", { dir: "auto" }, name)),
      meter(probability, kind, `${words.say(kind)}: ${name}, ${share}`),
      el("p", { class: "share" }, share),
    );
  };
  return el(
    "section",
    { class: "band" },
    el("h2", {}, words.say("times_title")),
    el("p", { class: "lead" }, verdict(visit, estimate)),
    row("choices_alone", estimate.choice_only),
    row("choices_and_times", estimate),
  );
}

function moment({ words, stimuli }, kind, { left, right, choice, response_time: seconds }) {
  const face = (side, itemId) =>
    el("span", { class: side === choice ? "thumb chosen" : "thumb" }, stimuli.face(itemId));
  const [won, lost] = choice === "left" ? [left, right] : [right, left];
  const values = { won: stimuli.item(won).name, lost: stimuli.item(lost).name };
  return el(
    "figure",
    { class: "moment" },
    el("p", { class: "seconds" }, words.seconds(seconds)),
    el(
      "div",
      { class: "pictures", dir: "ltr", "aria-hidden": "true" },
      face("left", left),
      face("right", right),
    ),
    el("figcaption", {}, words.say(kind, values)),
  );
}

function moments(visit, { fastest, slowest }) {
  if (!fastest || !slowest) return null;
  const { words } = visit;
  return el(
    "section",
    {},
    el("h2", {}, words.say("moments_title")),
    el("p", {}, words.say("moments_text")),
    el(
      "div",
      { class: "moments" },
      moment(visit, "fastest", fastest),
      moment(visit, "slowest", slowest),
    ),
  );
}

function favourite(
  { words, stimuli },
  { favourite: itemId, probability, n_answers: n, median_response_time: median },
) {
  const { name } = stimuli.item(itemId);
  const facts = words.say("result_facts", {
    n,
    median: median === null ? words.say("unknown") : words.seconds(median),
  });
  return el(
    "section",
    { class: "favourite" },
    el("div", { class: "portrait", "aria-hidden": "true" }, stimuli.face(itemId)),
    el(
      "div",
      {},
      el("p", { class: "eyebrow" }, words.say("favourite")),
      el("h1", { tabindex: "-1", dir: "auto" }, name),
      probability === null
        ? []
        : el(
            "p",
            { class: "lead" },
            words.say("favourite_sure", { share: chance(words, probability) }),
          ),
      el("p", { class: "fine" }, facts),
    ),
  );
}

function ending({ words }, link, { completion_url: url, completion_code: code }, isDemo) {
  const back = url ? el("a", { class: "primary", href: url }, words.say("finish")) : null;
  const shown = code ? el("p", { class: "lead" }, words.say("code", { code })) : null;
  const again = el("button", { class: "secondary", type: "button" }, words.say("again_from_start"));
  again.addEventListener("click", () => {
    forget(link);
    location.reload();
  });
  const other = el("a", { class: "secondary", href: "/" }, words.say("other_demos"));
  const actions = el("div", { class: "actions" }, back, isDemo ? [again, other] : []);
  return el("section", { class: "ending" }, shown, actions);
}

/** Confirm the last answer, then show the result. */
export async function result(visit, link) {
  const { session, show, words } = visit;
  show(el("section", { class: "page" }, el("h1", { tabindex: "-1" }, words.say("working_out"))));
  const completion = await session.complete();
  const estimate = await session.estimate();
  const isDemo = await session.isDemo();
  show(
    el(
      "article",
      { class: "result" },
      favourite(visit, estimate),
      timesTold(estimate) ? comparison(visit, estimate) : [],
      moments(visit, estimate),
      el(
        "section",
        {},
        el("h2", {}, words.say("ranking_title")),
        el("p", {}, words.say("ranking_text")),
        ranking(visit, estimate.ranking),
      ),
      ending(visit, link, completion, isDemo),
    ),
  );
}
