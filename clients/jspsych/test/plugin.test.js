/** The plugin in jsPsych from npm, against a server of a few lines. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { press } from "./page.js";

const { initJsPsych } = await import("jspsych");
const { TacitSession, tacitTimeline } = await import("../src/index.js");

const N_TRIALS = 3;
const items = ["tea", "coffee"].map((name) => ({ item_id: name, name, kind: "text" }));
let server, address, received, failures;

function standing() {
  const n = received.length;
  const trial = {
    trial_id: `t000${n + 1}`,
    sequence: n + 1,
    left: "tea",
    right: "coffee",
    shown_before: false,
  };
  return {
    stage: n < N_TRIALS ? "main" : "result",
    trial: n < N_TRIALS ? trial : null,
    progress: {},
  };
}

function reply(method, path, body) {
  if (body.link?.startsWith("unknown")) return [404, { detail: "there is no such link" }];
  if (method === "POST" && path === "/api/v1/sessions")
    return [201, { session_id: "s1", token: "secret", view: { study: { items }, ...standing() } }];
  if (path.includes("/responses/")) {
    if (failures-- > 0) return [503, {}];
    received.push({ path, ...body });
    return [200, { acknowledged: true, ...standing() }];
  }
  if (path.endsWith("/completion"))
    return [200, { complete: true, completion_code: "DONE", ...body }];
  return [200, { next_sequence: received.length + 1, ...standing() }];
}

before(async () => {
  server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const opening = request.url === "/api/v1/sessions";
    const known = opening || request.headers.authorization === "Bearer secret";
    const [status, body] = known
      ? reply(request.method, request.url, text ? JSON.parse(text) : {})
      : [401, {}];
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/s/drinks.r0.x`;
});
after(() => server.close());

const open = () => {
  received = [];
  failures = 0;
  return TacitSession.open({ link: address, resumeKey: "7d9f1c50-6a4e-4f0e-9a54-0e6f2f1f6a11" });
};

test(
  "asks until the server has no question left, and sends every answer once",
  { timeout: 60_000 },
  async () => {
    const session = await open();
    failures = 1;
    const jsPsych = initJsPsych();
    const pressing = press("j");
    await jsPsych.run([tacitTimeline(session)]);
    clearInterval(pressing);
    assert.deepEqual(
      received.map(({ sequence }) => sequence),
      [1, 2, 3],
    );
    for (const {
      choice,
      onset_ms: onset,
      response_ms: response,
      time_valid: valid,
      clock,
    } of received) {
      assert.equal(choice, "right");
      assert.ok(response > onset && response - onset < 5000, `${response - onset} ms`);
      assert.equal(valid, true);
      assert.equal(clock.kind, "jspsych performance.now");
    }
    const rows = jsPsych.data.get().values();
    assert.deepEqual(
      rows.map((row) => row.trial_id),
      ["t0001", "t0002", "t0003"],
    );
    assert.deepEqual(
      rows.map((row) => row.choice),
      ["right", "right", "right"],
    );
    const { n_responses: n, completion_code: code } = await session.complete();
    assert.deepEqual([n, code], [N_TRIALS, "DONE"]);
  },
);

test("says why the server refuses", async () => {
  const link = address.replace("drinks", "unknown");
  const resumeKey = "7d9f1c50-6a4e-4f0e-9a54-0e6f2f1f6a12";
  await assert.rejects(
    TacitSession.open({ link, resumeKey }),
    /tacit refused: there is no such link/,
  );
});
