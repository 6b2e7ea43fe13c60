/** The plugin in jsPsych from npm, in a study of a real server: TACIT_LINK leads there. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { press } from "./page.js";

const { initJsPsych } = await import("jspsych");
const { TacitSession, tacitTimeline } = await import("../src/index.js");

test("takes part from the first question to the last", { timeout: 60_000 }, async () => {
  const session = await TacitSession.open({
    link: process.env.TACIT_LINK,
    resumeKey: crypto.randomUUID(),
  });
  const jsPsych = initJsPsych();
  const pressing = press("f");
  await jsPsych.run([tacitTimeline(session)]);
  clearInterval(pressing);
  assert.equal(session.trial, null);
  const { complete } = await session.complete();
  assert.equal(complete, true);
});
