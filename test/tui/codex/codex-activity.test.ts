import { expect, test } from "vitest";
import {
  type Around,
  answer,
  detector,
  message,
  prompt,
  screenOf,
  signalsOf,
  tool,
  workedFor,
  working,
} from "./codex-screens.ts";

const asked = message("do it");
const idle = { title: "acme-api", report: "state=idle:app=codex" };

function checkActive(
  text: string,
  reasons: readonly string[],
  around: Around & { version?: string } = {},
): void {
  const { activeReasons, readyPosture, ending } = signalsOf(text, around);
  expect({ activeReasons, readyPosture, ending }).toEqual({
    activeReasons: reasons,
    readyPosture: "no",
    ending: null,
  });
}

function checkReady(text: string, around: Around & { version?: string } = {}): void {
  expect(signalsOf(text, around)).toMatchObject({
    surface: { type: "composer" },
    acceptingInput: "yes",
    activeReasons: [],
    readyPosture: "yes",
  });
}

test("the program's title or report shows work whatever the screen shows (H23, H29)", () => {
  const quiet = prompt(asked + answer("The first half of an answer"));
  checkActive(quiet, ["program_report"], { report: "state=working:app=codex", title: "acme-api" });
  checkActive(quiet, ["title_spinner"], { title: "⠼ acme-api" });
  checkActive(quiet, ["title_spinner"], { title: "⠼ acme-api", version: "0.144.6" });
  checkActive(prompt(asked + answer("Done.") + workedFor()), ["program_report"], {
    report: "state=working:app=codex",
  });
});

test("a row that only work shows is work: working, reasoning, reconnecting, at any stage of its blinking (H23, H29)", () => {
  for (const version of ["0.98.0", "0.116.0", "0.144.6", "0.169.0"]) {
    checkActive(prompt(asked + working()), ["status_row"], { version });
    checkActive(
      prompt(asked + working("Working", "1m 07s", " · 1 background terminal running")),
      ["status_row"],
      {
        version,
      },
    );
    checkActive(prompt(asked + working("Reading the parser", "1h 2m 3s")), ["status_row"], { version });
    checkActive(
      prompt(asked + "\x1b[2m◦\x1b[0m Working \x1b[2m(9s • esc to interrupt)\x1b[0m\n"),
      ["status_row"],
      {
        version,
      },
    );
    checkActive(
      prompt(`${asked}${working("Reconnecting... 2/3")}\x1b[2m  └ high demand\x1b[0m\n`),
      ["status_row", "stream_retry_status"],
      { version },
    );
  }
});

test("a working row is work even if the width cuts it off (H23)", () => {
  checkActive(
    prompt(`${asked}\x1b[1m•\x1b[0m A long heading of thought \x1b[2m(12s • esc to …\x1b[0m\n`),
    ["status_row"],
    { version: "0.144.6" },
  );
});

test("rows of earlier Turns and rows above an answer are not work (H10)", () => {
  const earlier = message("first") + working() + answer("READY");
  checkReady(prompt(earlier), { version: "0.116.0" });
  checkReady(prompt(earlier + message("second") + answer("Done.") + workedFor()));
});

test("a running tool is work if the program reports nothing, and an interrupted tool is not (H23)", () => {
  const running = asked + tool("Running", "npm test");
  checkActive(prompt(running), ["in_flight_tool_cell"], { version: "0.116.0" });
  checkReady(prompt(running), { ...idle });
  checkReady(prompt(`${running}■ Conversation interrupted - use /feedback if something went wrong\n`));
  checkReady(prompt(asked + answer("\x1b[1mRunning\x1b[0m npm test is what I would do")), {
    version: "0.116.0",
  });
});

test("a Turn without an end row is open in versions where every Turn ends with one; in others only a Turn without any output is open (H23)", () => {
  checkActive(prompt(asked + answer("The first half")), ["open_turn"]);
  checkActive(prompt(asked), ["open_turn"], { version: "0.116.0" });
  checkReady(prompt(asked + answer("The whole")), { version: "0.116.0" });
  checkReady(prompt(asked + answer("The first half")), idle);
});

test("a message that waits to be sent to the running Turn or after it is work and pending input (H23)", () => {
  const waits = `${asked}• Queued follow-up inputs\n  ↳ and then the risks\n    shift+← edit last queued message\n`;
  const steers = `${asked}• Messages to be submitted after next tool call (press esc to interrupt and send\n  immediately)\n  ↳ and the risks\n`;
  for (const above of [waits, steers]) {
    checkActive(prompt(above), ["pending_input"], { version: "0.144.6" });
    expect(signalsOf(prompt(above), { version: "0.144.6" }).pendingInput).toBe("yes");
  }
  const old = prompt(`${asked}${working()}  ↳ and the risks\n    alt + ↑ edit\n`);
  expect(signalsOf(old, { version: "0.98.0" })).toMatchObject({ pendingInput: "yes", readyPosture: "no" });
  const draft = { input: "and also▮", footer: "  GPT-6.1-Sol default\n  tab to queue message" };
  checkActive(prompt(asked + answer("Half"), draft), ["queue_hint"], { version: "0.144.6" });
  expect(signalsOf(prompt(asked + answer("Done.") + workedFor())).pendingInput).toBe("no");
});

test("starting servers are neither a Turn nor readiness", () => {
  const starting = prompt(working("Starting MCP servers (0/2): a, b", "0s"));
  expect(signalsOf(starting, { version: "0.116.0" })).toMatchObject({
    surface: { type: "starting" },
    activeReasons: [],
    readyPosture: "unknown",
    ending: null,
  });
});

test("servers that start under a spinning title are work without a Turn and leave no end (H33)", () => {
  const codex = detector("0.144.6");
  const booting = screenOf(prompt(working("Booting MCP server: slow", "1s")), { title: "⠹ acme" });
  expect(codex.detect(booting, 0)).toMatchObject({ activeReasons: ["session_start"], readyPosture: "no" });
  const booted = prompt(
    "⚠ MCP client for `slow` timed out after 6 seconds.\n\n⚠ MCP startup incomplete (failed: slow)\n",
  );
  expect(codex.detect(screenOf(booted, { title: "acme" }), 500)).toMatchObject({
    readyPosture: "yes",
    ending: null,
    currentError: null,
  });
});

test("a background terminal that outlives its Turn is not work", () => {
  const above = `${asked}${answer("Started.")}${workedFor()}\x1b[2m  1 background terminal running · /ps to view · /stop to close\x1b[0m\n`;
  checkReady(prompt(above), { title: "acme-api", report: "state=done:app=codex" });
});
