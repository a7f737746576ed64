import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseOutcome } from "../../src/triage/index.ts";
import { outcomeWith, ref, reproduction } from "./facts.ts";

const valid = JSON.stringify(outcomeWith());

function check(file: string | Uint8Array, expected: string): void {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  const parsed = parseOutcome(bytes, ref.number);
  expect(parsed.type === "valid" ? "valid" : parsed.problem.code).toBe(expected);
  if (parsed.type === "invalid") expect(parsed.problem.message.length).toBeLessThanOrEqual(400);
}

describe("the outcome reader accepts only strictly valid files (S9, S6)", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["a good one", valid, "valid"],
    ["with a byte order mark", `\u{feff}${valid}`, "valid"],
    ["empty", "", "not-json"],
    ["half written", valid.slice(0, 200), "not-json"],
    ["two documents", valid + valid, "not-json"],
    ["not an object", "[]", "schema"],
    ["null", "null", "schema"],
    ["at the size limit", valid + " ".repeat(256 * 1024 - Buffer.byteLength(valid)), "valid"],
    ["above the size limit", valid + " ".repeat(256 * 1024 + 1 - Buffer.byteLength(valid)), "too-large"],
    ["Latin-1", Buffer.from(valid.replace("reads", "l\u00e4se"), "latin1"), "not-utf8"],
    ["an overlong NUL", Buffer.from([0xc0, 0x80]), "not-utf8"],
    ["nested", `${"[".repeat(17)}${"]".repeat(17)}`, "too-deep"],
    ["nested beyond any stack", `${"[".repeat(120_000)}${"]".repeat(120_000)}`, "too-deep"],
    ["a key twice", valid.replace("{", '{"issue":1,'), "duplicate-key"],
    ["a key twice, one escaped", valid.replace("{", '{"\\u0069ssue":1,'), "duplicate-key"],
    ["a key twice, deeper", valid.replace('"reproduced"', '"attempted":false,"reproduced"'), "duplicate-key"],
    ["the same key in two objects", '{"a":{"x":1},"b":{"x":1}}', "schema"],
    ["a key as a string value", valid.replace("an empty result", 'x\\", \\"issue\\": 1'), "valid"],
    ["__proto__", valid.replace("{", '{"__proto__":{"category":"bug"},'), "forbidden-key"],
    ["__proto__ escaped", valid.replace("{", '{"__pr\\u006fto__":{},'), "forbidden-key"],
    ["constructor", valid.replace("{", '{"constructor":{},'), "schema"],
    ["an unknown key, such as labels", valid.replace("{", '{"labels":["p1"],'), "schema"],
    ["another repository", valid.replace("{", '{"repo":"evil/repo",'), "schema"],
    ["another issue", JSON.stringify(outcomeWith({ issue: 124 })), "wrong-issue"],
    ["an outcome that is a homoglyph", valid.replace("ready-for-agent", "ready‑for‑agent"), "schema"],
    ["an outcome with a comma", valid.replace("ready-for-agent", "wontfix,bug"), "schema"],
    ["an outcome with shell", valid.replace("ready-for-agent", "$(id)"), "schema"],
    ["a summary without end", JSON.stringify(outcomeWith({ summary: "x".repeat(501) })), "schema"],
    [
      "too many questions",
      JSON.stringify(outcomeWith({ questions: Array.from({ length: 21 }, () => "q?") })),
      "schema",
    ],
  ])("%s", (_, file, expected) => check(file, expected));
});

describe("an outcome must contain the fields that policy 1–3 need", () => {
  const none = {
    attempted: true,
    reproduced: false,
    script: null,
    expect: null,
    expected: "",
    actual: "",
    environment: "",
  };
  const incomplete: [string, Parameters<typeof outcomeWith>[0], string][] = [
    ["ready-for-agent without brief", { brief: null }, "incomplete"],
    ["ready bug without reproduction", { reproduction: null }, "incomplete"],
    ["ready bug without script", { reproduction: { ...reproduction, script: null } }, "incomplete"],
    ["ready bug without expectation", { reproduction: { ...reproduction, expect: null } }, "incomplete"],
    [
      "ready bug whose expectation is always met",
      { reproduction: { ...reproduction, expect: { exitCode: null, outputContains: null } } },
      "incomplete",
    ],
    [
      "ready bug that expects an invisible text",
      { reproduction: { ...reproduction, expect: { exitCode: 1, outputContains: "\u001b[31m" } } },
      "incomplete",
    ],
    [
      "ready bug that expects only an exit code",
      { reproduction: { ...reproduction, expect: { exitCode: 1, outputContains: null } } },
      "valid",
    ],
    ["ready bug, unsure", { confidence: "low", brief: null, reproduction: null }, "valid"],
    ["ready enhancement", { category: "enhancement", reproduction: null }, "valid"],
    ["needs-info without anything", { outcome: "needs-info", reproduction: null }, "incomplete"],
    [
      "needs-info with a question",
      { outcome: "needs-info", reproduction: null, questions: ["Which version?"] },
      "valid",
    ],
    ["needs-info with an attempt", { outcome: "needs-info", reproduction: none }, "valid"],
    ["wontfix without reason", { outcome: "wontfix" }, "incomplete"],
    ["wontfix", { outcome: "wontfix", wontfix: { reason: "documented", outOfScope: null } }, "valid"],
    ["ready-for-human", { outcome: "ready-for-human", brief: null, reproduction: null }, "valid"],
    ["needs-triage", { outcome: "needs-triage", brief: null, reproduction: null }, "valid"],
  ];
  test.each(incomplete)("%s", (_, change, expected) => check(JSON.stringify(outcomeWith(change)), expected));
});

test("the reader never throws, and only a complete valid file is valid (S9)", () => {
  const whole = Buffer.from(valid);
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    fc.json().map((text) => Uint8Array.from(Buffer.from(text))),
    fc.nat(whole.length - 1).map((length) => Uint8Array.from(whole.subarray(0, length))),
  );
  fc.assert(fc.property(bytes, (file) => parseOutcome(file, ref.number).type === "invalid"));
});
