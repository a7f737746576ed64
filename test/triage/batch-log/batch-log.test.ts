import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { observedFetch, systemIds } from "agent-tty/kit";
import { createVirtualClock } from "agent-tty/testing";
import { expect, test } from "vitest";
import { createBatchLog, logLinesOfIssue, logPath } from "../../../src/triage/batch-log/index.ts";
import { createCanaryDetector } from "../../../src/triage/index.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const REPO = "octo/widgets";
const SECRET = "a-canary-of-the-parent-9f3a2b";

async function openLog() {
  const directory = await temporaryDirectory();
  const clock = createVirtualClock();
  const echoed: string[] = [];
  const log = createBatchLog({
    runsDirectory: directory.path,
    clock,
    ids: systemIds(clock),
    canaries: createCanaryDetector([{ name: "GITHUB_TOKEN", value: SECRET }]),
    echo: (line) => void echoed.push(line),
  });
  const path = logPath(directory.path, "20260101T000000Z");
  const lines = (): Record<string, unknown>[] =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const start = (): void =>
    log.observe({
      type: "batch-started",
      title: "Triage Batch",
      runId: "20260101T000000Z",
      repos: [REPO],
      provider: "coder",
    });
  return {
    log,
    clock,
    echoed,
    path,
    lines,
    start,
    [Symbol.asyncDispose]: async () => {
      log[Symbol.dispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test("log lines of exchanges and phases of one issue share a correlation id in the form of W3C trace context (T9)", async () => {
  await using stage = await openLog();
  const { log, clock, lines } = stage;
  const answers: Record<string, Response | Error> = {
    "/a": new Response("{}", { status: 502 }),
    "/b": new TypeError("connection reset"),
  };
  const fetch = observedFetch(
    async (input) => {
      if (typeof input !== "string") throw new Error("only addresses are asked for here");
      await clock.advance(250);
      const answer = answers[new URL(input).pathname];
      if (answer instanceof Response) return answer;
      throw answer ?? new Error("not served");
    },
    "github",
    clock,
    log.exchange,
  );
  // Lines wait until the run id is known.
  await fetch("https://github.example/a?secret=in-the-query");
  stage.start();
  const ref = { repo: REPO, number: 7 } as const;
  await log.withinIssue(ref, async () => {
    log.observe({ type: "phase", ref, title: "t", phase: "triaging", detail: null });
    await fetch("https://github.example/b", { method: "POST" }).catch(() => undefined);
  });
  const [waited, started, phase, exchange] = lines();
  expect(waited).toMatchObject({
    level: "warn",
    event: "exchange",
    system: "github",
    operation: "GET /a",
    status: 502,
    duration_ms: 250,
  });
  expect(started).toMatchObject({ level: "info", event: "batch-started", repos: REPO });
  expect(phase).toMatchObject({ event: "phase", issue: "octo/widgets#7", phase: "triaging" });
  expect(exchange).toMatchObject({
    issue: "octo/widgets#7",
    operation: "POST /b",
    status: null,
    outcome: "connection reset",
    parent_span_id: phase?.["span_id"],
  });
  for (const line of lines()) {
    expect(line["trace_id"]).toBe(started?.["trace_id"]);
    expect(line).toMatchObject({
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
  }
  expect(stage.echoed).toHaveLength(4);
  const found: object[] = [];
  for await (const line of logLinesOfIssue(stage.path, "octo/widgets#7")) found.push(line);
  expect(found).toEqual([phase, exchange]);
});

test("the log contains no secret of the parent (S8)", async () => {
  await using stage = await openLog();
  stage.start();
  stage.log.observe({ type: "warning", message: `it said ${SECRET}` });
  stage.log.exchange({
    system: "coder",
    operation: "coder ssh",
    durationMs: 1,
    status: null,
    outcome: `token ${SECRET}`,
  });
  expect(readFileSync(stage.path, "utf8") + stage.echoed.join("\n")).not.toContain(SECRET);
  expect(stage.lines()).toHaveLength(3);
});

test("a log that cannot be written does not affect the batch (C7)", async () => {
  await using directory = await temporaryDirectory();
  const inTheWay = join(directory.path, "file");
  writeFileSync(inTheWay, "");
  const clock = createVirtualClock();
  using log = createBatchLog({
    runsDirectory: inTheWay,
    clock,
    ids: systemIds(clock),
    canaries: createCanaryDetector([]),
    echo: null,
  });
  log.observe({
    type: "batch-started",
    title: "Triage Batch",
    runId: "20260101T000000Z",
    repos: [REPO],
    provider: "coder",
  });
  expect(await log.withinIssue({ repo: REPO, number: 1 }, () => Promise.resolve("done"))).toBe("done");
});
