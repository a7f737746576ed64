import { describe, expect, test } from "vitest";
import {
  looksLikeSecurityReport,
  noInsight,
  type Outcome,
  type Verification,
} from "../../src/triage/index.ts";
import { decideAlone, decideWithout, issueWith, outcomeWith, reproduction, runWith } from "./facts.ts";

const hit = runWith();
const reproduced: Verification = {
  type: "reproduced",
  runs: [hit, hit, hit],
  reproduction,
  insight: noInsight,
};
const why = { reason: "documented", outOfScope: null };

describe("reports that should have been sent privately (S16)", () => {
  test.each<[string, boolean]>([
    ["Security vulnerability in the parser", true],
    ["RCE through the config file", true],
    ["SQL injection in search", true],
    ["Stored XSS in comments", true],
    ["Proof of concept exploit attached", true],
    ["Prototype pollution through constructor keys", true],
    ["A very long range string takes seconds", false],
    ["A parsed __proto__ key sets the prototype", false],
    ["The word sources contains rce", false],
    ...[
      "memory leak in watcher",
      "password field is not focused",
      "token count wrong in report",
      "session list is empty",
      "export to CSV fails",
      "permission denied when installing",
      "authentication fails with 2FA",
      "certificate expired error message",
      "SECURITY.md link is broken",
      "DoS emulator support: run DOS games",
      "api key setting is ignored",
      "how do I execute code after load",
      "race condition in tests",
      "no authentication method works behind a proxy",
      "anyone can reproduce this?",
      "arguments starting with -- are ignored by the parser",
      "running npm install as root fails on Debian",
      "deleted files are still shown in the list",
      "removed files still listed in package.json",
      "query is executed twice when the page loads",
      "script is executed twice when the watcher restarts",
      "yaml user config is not read",
      "feature flag should be available for all users",
      "one message takes 5 seconds to render",
      "malformed JSON input crashes the CLI with a stack trace",
      "no auth for private registry in config",
      "expired sessions still listed in dashboard",
      "filter is bypassed when the list is empty",
      "No login in docs for beginners",
      "single request takes too long",
      "Tokens are counted twice by the tokenizer",
      "Crash when config file is missing",
      "Login button is not visible on mobile",
      "Password field loses focus when typing",
      "Cookies banner overlaps the footer",
      "Support reading API keys from environment",
      "Session is not restored after reload",
      "Cannot access private repositories without a token",
      "Exec fails with ENOENT on Windows",
      "Eval of template strings is slow",
      "Upload of large files fails with 413",
      "Rate limit headers are parsed wrong",
      "Certificate path option is ignored",
    ].map((title): [string, boolean] => [title, false]),
  ])("%s: %s", (title, expected) =>
    expect(looksLikeSecurityReport({ title, body: "", labels: [] }, [])).toBe(expected),
  );

  test.each<Partial<Outcome>>([
    {},
    { outcome: "wontfix", wontfix: why },
    { outcome: "needs-info", questions: ["Which payload?"] },
    { confidence: "low" },
  ])("%j goes to a person, and says nothing of it", (change) => {
    const issue = issueWith({ body: "A vulnerability: send ../../etc/passwd" });
    const decision = decideAlone({ issue, outcome: outcomeWith(change), verification: reproduced });
    expect(decision).toMatchObject({ state: "ready-for-human", close: null, policy: ["security-report"] });
    expect(decision.comment).toEqual({ template: "ready-for-human", why: { type: "security-report" } });
  });

  test.each<[string, Partial<Outcome>]>([
    ["suspected", { security: { level: "suspected", kind: null } }],
    ["confirmed", { security: { level: "confirmed", kind: "path traversal" } }],
  ])("the Triage Agent's word %s is enough, whatever the text says", (_, change) => {
    const decision = decideAlone({
      issue: issueWith(),
      outcome: outcomeWith(change),
      verification: reproduced,
    });
    expect(decision).toMatchObject({ state: "ready-for-human", policy: ["security-report"] });
  });

  const sign = "It is a path traversal vulnerability.";
  const { brief } = outcomeWith();
  if (brief === null) throw new Error("the outcome of these tests has a brief");
  test.each<[string, Partial<Outcome>]>([
    ["established", { established: [sign] }],
    ["questions", { questions: [sign] }],
    ["brief.currentBehavior", { brief: { ...brief, currentBehavior: sign } }],
    ["brief.desiredBehavior", { brief: { ...brief, desiredBehavior: sign } }],
    ["brief.keyInterfaces", { brief: { ...brief, keyInterfaces: [sign] } }],
    ["brief.acceptanceCriteria", { brief: { ...brief, acceptanceCriteria: [sign] } }],
    ["brief.outOfScope", { brief: { ...brief, outOfScope: [sign] } }],
    ["wontfix.reason", { outcome: "wontfix", wontfix: { reason: sign, outOfScope: null } }],
    ["reproduction.script", { reproduction: { ...reproduction, script: `#!/bin/sh\n# ${sign}\n` } }],
    ["reproduction.actual", { reproduction: { ...reproduction, actual: sign } }],
    ["summary", { summary: sign }],
  ])("a sign in %s alone is enough, although the Triage Agent says none", (_, change) => {
    const decision = decideAlone({
      issue: issueWith(),
      outcome: outcomeWith(change),
      verification: reproduced,
    });
    expect(decision.policy).toEqual(["security-report"]);
  });

  test("a sign in the output of the parent's own run is enough", () => {
    const run = runWith({ outputExcerpt: "root:x:0:0:root:/root:/bin/bash" });
    const verification: Verification = {
      ...reproduced,
      type: "reproduced",
      runs: [run],
      reproduction,
      insight: noInsight,
    };
    const decision = decideAlone({ issue: issueWith(), outcome: outcomeWith(), verification });
    expect(decision.policy).toEqual(["security-report"]);
  });

  test("an outcome of the first schema has the policy code security-unstated, whether or not a sign is found", () => {
    const outcome = outcomeWith({
      schema: "afk-triage/outcome@1",
      security: { level: "unstated", kind: null },
    });
    const facts = { issue: issueWith(), outcome, verification: reproduced };
    expect(decideAlone(facts).policy).toEqual(["security-unstated", "reproduction-verified"]);
    const flagged = { ...facts, outcome: { ...outcome, summary: sign } };
    expect(decideAlone(flagged).policy).toEqual(["security-unstated", "security-report"]);
  });

  test.each([
    ['{"security":{"level":"critical","kind":null}}', true],
    ['{"security":"confirmed"}', true],
    ['{"security":{"level":"none","kind":null}}', false],
    ["{}", false],
  ])("an invalid outcome with %s is a security report: %s", (wrote, expected) => {
    expect(decideWithout("it is not valid", wrote).policy.includes("security-report")).toBe(expected);
  });
});
