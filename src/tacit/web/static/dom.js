/** Elements, made without markup: text stays text, whatever an item is called. */

const SVG = "http://www.w3.org/2000/svg";

function build(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Make an HTML element: attributes, listeners ("onclick"), then children or strings. */
export function el(name, properties, ...children) {
  return build(document.createElement(name), properties, children);
}

/** Make an SVG element the same way. */
export function svg(name, properties, ...children) {
  return build(document.createElementNS(SVG, name), properties, children);
}

const keyNames = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

/** Pictures of keys, by their `KeyboardEvent.key`; read out as text elsewhere. */
export function keyCaps(keys) {
  const caps = keys.map((key) =>
    el("kbd", {}, keyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
  );
  return el("span", { class: "caps", "aria-hidden": "true" }, caps);
}

/** Resolve with the first event of a kind on a target; reject when the signal aborts. */
export function once(target, kind, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    target.addEventListener(kind, resolve, { once: true, signal });
  });
}

/** Wait; reject at once when the signal aborts. */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), {
      once: true,
    });
  });
}

/** A random UUID, version 4; `crypto.randomUUID` is missing on plain http, as in a lab's LAN. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
