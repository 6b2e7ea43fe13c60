/** The words of the pages, from a catalogue of the language that is wanted. */

const FALLBACK = "en";

async function catalogue(language) {
  const response = await fetch(`/messages/${language}.json`);
  return response.ok ? response.json() : null;
}

/** A name may be written in the other direction: it must not turn the words around it. */
function isolated(value) {
  return /\p{L}/u.test(value) ? `\u2068${value}\u2069` : value;
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    values[name] === undefined ? whole : isolated(values[name]),
  );
}

/** Let the page be read as its words are. */
export function setLanguage(words, direction = words.say("direction")) {
  document.documentElement.lang = words.language;
  document.documentElement.dir = direction;
}

/** Load the first language that has a catalogue; English when none has. */
export async function loadMessages(languages) {
  for (const language of [...languages, FALLBACK]) {
    const base = language.toLowerCase().split("-")[0];
    if (!/^[a-z]{2,3}$/.test(base)) continue;
    const texts = await catalogue(base);
    if (texts) return new Messages(base, texts);
  }
  throw new Error("no catalogue of messages");
}

/** Texts by key, with {places} to fill and plural forms chosen by `n`. */
export class Messages {
  constructor(language, texts) {
    this.language = language;
    this.texts = texts;
    this.plural = new Intl.PluralRules(language);
  }

  say(key, values = {}) {
    const entry = this.texts[key];
    if (entry === undefined) throw new Error(`no message "${key}" in ${this.language}`);
    const text =
      typeof entry === "string" ? entry : (entry[this.plural.select(values.n)] ?? entry.other);
    return fill(text, values);
  }

  number(value, digits = 0) {
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(this.language, options).format(value);
  }

  percent(share) {
    return new Intl.NumberFormat(this.language, { style: "percent" }).format(share);
  }

  seconds(value, digits = 2) {
    const options = {
      style: "unit",
      unit: "second",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    };
    return new Intl.NumberFormat(this.language, options).format(value);
  }
}
