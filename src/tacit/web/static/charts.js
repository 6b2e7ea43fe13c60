/** Charts as SVG. Widths are percentages, so that they follow the page; heights are pixels. */

import { svg } from "./dom.js";

const HEIGHT = 190;
const BASE = 160;
const TOP = 18;
const ROW = 34;
const N_TICKS = 5;

/** Counts over bins; `format` writes an edge, the last bin is open. */
export function histogram(edges, counts, { label, format }) {
  const most = Math.max(1, ...counts);
  const width = 100 / counts.length;
  const bars = counts.map((count, bin) => {
    const height = ((BASE - TOP) * count) / most;
    const title = svg("title", {}, `${format(edges[bin])} – ${format(edges[bin + 1])}: ${count}`);
    const x = `${bin * width + 0.08 * width}%`;
    return svg(
      "rect",
      { class: "bar", x, y: BASE - height, width: `${0.84 * width}%`, height, rx: 2 },
      title,
    );
  });
  const step = Math.max(1, Math.round(counts.length / (N_TICKS - 1)));
  const ticks = edges.flatMap((edge, bin) => {
    if (bin % step !== 0) return [];
    const anchor = bin === 0 ? "start" : bin === counts.length ? "end" : "middle";
    return svg("text", { x: `${bin * width}%`, y: BASE + 20, "text-anchor": anchor }, format(edge));
  });
  const axis = svg("line", { class: "axis", x1: 0, x2: "100%", y1: BASE, y2: BASE });
  const attributes = {
    class: "chart",
    role: "img",
    "aria-label": label,
    height: HEIGHT,
    width: "100%",
  };
  return svg("svg", attributes, bars, axis, ticks);
}

/** One horizontal bar for each row: {name, share (0 to 1), text}. */
export function bars(rows, { label }) {
  const lines = rows.flatMap(({ name, share, text }, row) => {
    const y = row * ROW;
    return [
      svg("text", { class: "name", x: 0, y: y + 13 }, name),
      svg("text", { class: "value", x: "100%", y: y + 13, "text-anchor": "end" }, text),
      svg("rect", { class: "track", x: 0, y: y + 19, width: "100%", height: 7, rx: 3.5 }),
      svg("rect", {
        class: "bar",
        x: 0,
        y: y + 19,
        width: `${100 * share}%`,
        height: 7,
        rx: 3.5,
      }),
    ];
  });
  const height = Math.max(ROW, rows.length * ROW);
  return svg(
    "svg",
    { class: "chart", role: "img", "aria-label": label, height, width: "100%" },
    lines,
  );
}
