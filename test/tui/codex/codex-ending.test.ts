import { expect, test } from "vitest";
import type { TuiSignals } from "../../../src/tui/index.ts";
import {
  answer,
  type Around,
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
const interrupted =
  "\x1b[31m■ Conversation interrupted - tell the model what to do differently. Something\x1b[0m\nwent wrong? Hit `/feedback` to report the issue.\n";
const idle = { title: "acme-api", report: "state=idle:app=codex" };
const versions = ["0.98.0", "0.116.0", "0.144.6", "0.169.0"];

function check(text: string, type: string | null, around: Around & { version?: string } = {}): TuiSignals {
  const signals = signalsOf(text, around);
  expect(signals.ending?.type ?? null).toBe(type);
  return signals;
}

test("a Turn with `Worked for`, or whose title and report came to rest, is announced as over (H33)", () => {
  check(prompt(asked + answer("Done.") + workedFor()), "success_announced");
  check(prompt(asked + answer("Done.") + workedFor("<1s")), "success_announced", idle);
  check(
    prompt(asked + answer("Done.") + workedFor("1m 07s"), { input: "and now▮" }),
    "success_announced",
    idle,
  );
  check(prompt(asked + answer("Done.")), "success_announced", { report: "state=done:app=codex" });
  const codex = detector("0.144.6");
  codex.detect(screenOf(prompt(asked + working()), { title: "⠼ acme" }), 0);
  expect(codex.detect(screenOf(prompt(asked + answer("Done.")), { title: "acme" }), 500).ending?.type).toBe(
    "success_announced",
  );
});

test("the disappearance of the work row ends a Turn in versions that always show it (H33)", () => {
  const codex = detector("0.98.0");
  codex.detect(screenOf(prompt(asked + working())), 0);
  const done = screenOf(prompt(asked + answer("Done.")));
  expect(codex.detect(done, 200).ending).toBeNull();
  expect(codex.detect(done, 400).ending?.type).toBe("success_announced");
});

test("an answer at rest is a success candidate in versions without further evidence (H33)", () => {
  for (const version of ["0.98.0", "0.116.0"]) {
    check(prompt(asked + answer("Done.")), "success_candidate", { version });
    check(prompt(asked + answer("Done.") + asked + working()), null, { version });
  }
});

test("a first screen, a draft alone and a requested card are not an end (H33)", () => {
  const banner = "╭────╮\n│ >_ OpenAI Codex (v0.116.0) │\n╰────╯\n  Tip: Use /status.\n";
  check(prompt(banner), null, { version: "0.116.0" });
  check(prompt("", { input: "half a message▮" }), null, { version: "0.116.0" });
  check(prompt(`${asked}${answer("The first half")}/status\n\n  Model:  gpt-5.4\n`), null, idle);
});

test("an interruption is recognised in the wording of each version, even with a draft or after a rejected tool (H35)", () => {
  for (const version of versions) {
    check(prompt(asked + answer("The first half") + interrupted), "interrupted", { version });
    check(prompt(asked + interrupted, { input: "rather▮" }), "interrupted", { version });
    const rejected = `${asked}\x1b[31m✗ \x1b[0mYou canceled the request to run rm -rf dist\n\n${tool("Ran", "rm -rf dist")}`;
    check(prompt(rejected + interrupted), "interrupted", { version });
  }
});

test("the end of the last Turn counts, even if no message began that Turn (H33, H35, H36)", () => {
  const earlier = asked + answer("Done.") + workedFor();
  const typed = { title: "acme-api", report: "state=done:app=codex" };
  const shell = check(
    prompt(`${earlier}${tool("You ran", "ls")}${workedFor("3s")}`),
    "success_announced",
    typed,
  );
  expect(shell.ending?.signature).toContain("Worked for 3s");
  check(prompt(`${earlier}${tool("You ran", "sleep 9")}${interrupted}`), "interrupted", idle);
  check(prompt(`${earlier}■ unexpected status 500\n`), "known_failure", { report: "state=error:app=codex" });
});

test("0.144 moves an interrupted message back to the composer without leaving a row (H35)", () => {
  const codex = detector("0.144.6");
  const before = message("first") + answer("Done.");
  codex.detect(screenOf(prompt(before + message("hang") + working()), { title: "⠼ acme" }), 0);
  const takenBack = screenOf(prompt(before, { input: "hang▮" }), { title: "acme" });
  expect(codex.detect(takenBack, 500).ending?.type).toBe("interrupted");
});

test("an error that ends a Turn is its failure, in the TUI's words (H36)", () => {
  const texts = [
    "unexpected status 401 Unauthorized: invalid x-api-key, url: http://127.0.0.1/v1/responses",
    "exceeded retry limit, last status: 429 Too Many Requests",
    "We’re currently experiencing high demand, which may cause temporary errors.",
    '{"error":{"message":"messages: text content blocks must be non-empty"}}',
    "stream disconnected before completion: error sending request",
    "Something that nobody has seen yet",
  ];
  for (const version of versions)
    for (const text of texts) {
      const { currentError } = check(prompt(`${asked}\x1b[31m■ ${text}\x1b[0m\n`), "known_failure", {
        version,
      });
      expect(currentError).toBe(text);
    }
  check(prompt("⚠ server overloaded\n"), "known_failure", { version: "0.116.0" });
  check(prompt(asked + answer("Half")), "known_failure", { report: "state=error:app=codex" });
});

test("an error of typed input is shown at the prompt and belongs to no Turn (H36)", () => {
  const { currentError } = check(
    prompt("■ Message exceeds the maximum length of 1048576 characters.\n"),
    null,
    {
      version: "0.116.0",
    },
  );
  expect(currentError).toMatch(/^Message exceeds/);
  check(prompt("⚠ MCP startup incomplete (failed: alpha)\n"), "success_candidate", { version: "0.116.0" });
  check(
    prompt(`${asked}${answer("Done.")}${workedFor()}■ Unrecognized command '/foo'.\n`),
    "success_announced",
    idle,
  );
});

test("the end of an earlier Turn, or an end followed by more text, is not this Turn's end (H35, H36)", () => {
  for (const end of [interrupted, "■ stream disconnected before completion\n"]) {
    check(prompt(message("first") + end + asked + answer("RECOVERED")), "success_candidate", {
      version: "0.116.0",
    });
    check(prompt(asked + end + answer("More text.")), "success_candidate", { version: "0.116.0" });
    check(prompt(message("first") + end + asked + working()), null, { version: "0.116.0" });
  }
});

test("an end keeps its signature while it is shown, and each Turn's end has its own signature (H34)", () => {
  const codex = detector();
  const sign = (text: string, around: Around = idle): string | undefined =>
    codex.detect(screenOf(text, around), 0).ending?.signature;
  const first = asked + answer("Done.") + workedFor();
  sign(prompt(asked), { report: "state=working:app=codex" });
  const name = sign(prompt(first));
  expect(name).toBeDefined();
  expect(sign(prompt(first, { input: "a draft▮" }))).toBe(name);
  expect(sign(prompt(first, { input: "/▮" }))).toBeUndefined();
  expect(sign(prompt(asked + answer("Done,\nwrapped anew.") + workedFor()))).toBe(name);
  sign(prompt(first + asked), { report: "state=working:app=codex" });
  const again = sign(prompt(first + first));
  expect(again).not.toBe(name);
});
