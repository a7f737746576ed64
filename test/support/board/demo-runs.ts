import type { RunDocument } from "../../../src/board/index.ts";
import { inertBlocks } from "../../../src/board/source/inert-blocks.ts";
import { indicators, type Outcome, type RunFacts } from "./run-builder.ts";

export const NIGHT = "20261121T053000Z";
const MINUTE_MS = 60_000;

const ISSUES: readonly (readonly [
  number,
  string,
  "bug" | "enhancement",
  Outcome | "failed" | "requeued" | "skipped",
  string,
])[] = [
  [
    138,
    "parse() drops the last line when the file has no newline at its end",
    "bug",
    "ready-for-agent",
    "reproduction-verified",
  ],
  [
    129,
    "Offer a `--watch` mode for the formatter",
    "enhancement",
    "ready-for-human",
    "enhancement-needs-judgement",
  ],
  [
    127,
    "Crash: Cannot read properties of undefined (reading 'length')",
    "bug",
    "needs-info",
    "reproduction-failed",
  ],
  [121, "Locale de-DE formats 1234.5 as 1,234.5", "bug", "ready-for-agent", "reproduction-verified"],
  [118, "Docs: the example of `paint()` does not compile", "bug", "ready-for-agent", "reproduction-verified"],
  [114, "Support Internet Explorer 11", "enhancement", "ready-for-human", "enhancement-wontfix"],
  [109, "It is slow sometimes", "bug", "needs-info", "low-confidence"],
  [104, "ESM import fails under Node 20 with ERR_UNSUPPORTED_DIR_IMPORT", "bug", "failed", "checkout-failed"],
  [101, "Colours are inverted in Windows Terminal", "bug", "needs-info", "reproduction-failed"],
  [97, "merge() mutates its first argument", "bug", "ready-for-agent", "reproduction-verified"],
  [96, "Possible prototype pollution in deepAssign", "bug", "ready-for-human", "vulnerability"],
  [93, "Add a changelog entry for 3.2", "enhancement", "wontfix", "duplicate"],
  [88, "Timezone of `since` is ignored at daylight saving", "bug", "requeued", "issue-changed"],
  [85, "Type of `Options.indent` should allow a tab", "enhancement", "ready-for-agent", ""],
  [
    83,
    "Flaky: worker pool hangs on exit about one time in twenty",
    "bug",
    "needs-triage",
    "reproduction-flaky",
  ],
  [79, "Where is the configuration file looked for?", "enhancement", "skipped", "not-eligible"],
];

/** Returns last night's batch first; one of its first two runs is verified, the other waits for a person. */
export function demoRuns(nowMs: number): RunFacts[] {
  const start = nowMs - 44 * MINUTE_MS;
  const live: RunFacts[] = [
    {
      runId: NIGHT,
      number: 142,
      title: "format() loses the sign of negative zero in nested tables",
      startedAtMs: start + 2 * MINUTE_MS,
      durationMs: 7.4 * MINUTE_MS,
      usd: 0.61,
      end: { outcome: "ready-for-agent", policy: "reproduction-verified" },
      pullRequest: { number: 160, url: "https://github.com/acme/widgets/pull/160", status: "review_pending" },
    },
    {
      runId: NIGHT,
      number: 151,
      title: "CLI exits with 0 although a file could not be written",
      startedAtMs: nowMs - 6.2 * MINUTE_MS,
      durationMs: 9 * MINUTE_MS,
      usd: 0.22,
      phase: "triaging",
      displayStatus: "needs_input",
      indicator: indicators.waiting,
    },
    {
      runId: NIGHT,
      number: 153,
      title: "Unicode names of columns are cut in the middle of a character",
      startedAtMs: nowMs - 3.4 * MINUTE_MS,
      usd: 0.17,
      phase: "verifying",
    },
    {
      runId: NIGHT,
      number: 154,
      repo: "acme/paint",
      title: "Gradient with a single stop divides by zero",
      startedAtMs: nowMs - 100_000,
      usd: null,
      phase: "preparing",
      displayStatus: "idle",
      indicator: indicators.starting,
    },
    {
      runId: NIGHT,
      number: 155,
      repo: "acme/paint",
      title: "Undo after a fill restores the wrong layer",
      startedAtMs: nowMs - 2.9 * MINUTE_MS,
      usd: 0.08,
      phase: "triaging",
    },
  ];
  const nights = [start, start - 24 * 60 * MINUTE_MS, start - 3 * 24 * 60 * MINUTE_MS];
  const ended = nights.flatMap((nightMs, night) =>
    ISSUES.filter((_, index) => index % (night + 1) === 0).map((issue, index) =>
      endedRun(issue, nightMs, night, index),
    ),
  );
  return [...live, ...ended];
}

function endedRun(
  [number, title, category, result, reason]: (typeof ISSUES)[number],
  nightMs: number,
  night: number,
  index: number,
): RunFacts {
  const startedAtMs = nightMs + (index * 2.1 + 0.3) * MINUTE_MS;
  const base: RunFacts = {
    runId: new Date(nightMs).toISOString().replaceAll(/[-:]|\.\d+/g, ""),
    repo: index % 5 === 3 ? "acme/paint" : "acme/widgets",
    number: number - night * 41 > 0 ? number - night * 41 : number + 200,
    title,
    category,
    startedAtMs,
    durationMs: (3.1 + ((index * 37) % 11)) * MINUTE_MS,
    usd: 0.12 + ((index * 53) % 70) / 100,
  };
  if (result === "failed") {
    const failure = {
      code: "CHECKOUT_FAILED",
      message:
        "clone acme/widgets: npm ci ended with exit code 1: ERESOLVE could not resolve the peer dependency of react@17",
      remedy:
        "Run `npm ci` on a clean checkout of the default branch, or change `checkout.setup` in .github/afk-triage.yml.",
    };
    return { ...base, usd: null, end: { failure, reason } };
  }
  if (result === "skipped" || result === "requeued")
    return { ...base, usd: result === "skipped" ? null : 0.31, end: { status: result, reason } };
  return { ...base, end: { outcome: result, ...(reason === "" ? {} : { policy: reason }) } };
}

export function waitingDocument(): Partial<RunDocument> {
  return { terminals: [{ name: "triage-agent", sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FH", isLive: true }] };
}

const SCRIPT = `#!/bin/sh
set -eu
npm run --silent build
node --input-type=module -e '
  import { format } from "./dist/format.js";
  const text = format([{ delta: -0, inner: [{ delta: -0 }] }]);
  if (!text.split("\\n").every((line) => line.includes("-0")))
    throw new TypeError("sign lost: " + text);
'
`;

const EXCERPT = `file:///checkout/[eval1]:5
    throw new TypeError("sign lost: " + text);
          ^

TypeError: sign lost: delta  -0
inner
  delta  0
    at file:///checkout/[eval1]:5:11
    at ModuleJob.run (node:internal/modules/esm/module_job:271:25)

Node.js v20.19.4
`;

const COMMENT = [
  "> *This was generated by AI during triage.*",
  "",
  "### Ready for an implementer",
  "",
  "`format()` prints `-0` as `0` in nested tables. Reproduced **3 of 3** times in a clean checkout of `9f2c1e7`.",
  "",
  "- First bad commit: `4d80b6c` Render inner rows with one template (3.1.0)",
  "- The script, its output and a recording are kept with the run.",
].join("\n");

/** Returns the document of a run that went through all phases. */
export function heroDocument(startedAtMs: number): Partial<RunDocument> {
  const at = (seconds: number): string => new Date(startedAtMs + seconds * 1_000).toISOString();
  const run = { exitCode: 1, timedOut: false, matched: true, outputExcerpt: EXCERPT };
  return {
    terminals: [
      { name: "triage-agent", sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FG", isLive: false },
      { name: "verification", sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FJ", isLive: false },
    ],
    outcome: {
      category: "bug",
      outcome: "ready-for-agent",
      confidence: "high",
      summary:
        "format() prints -0 as 0 in nested tables: renderCell() goes through String(value) only at the top level, and through a template literal for inner rows, which drops the sign.",
      established: [
        "Since 3.1.0; 3.0.4 prints the sign at every level.",
        "Only -0 is affected: other negative numbers keep their sign.",
        "The public types and the documentation promise the same text at every depth.",
      ],
      questions: [],
      brief: {
        currentBehavior:
          "A cell that holds -0 is printed as \u201c0\u201d in every table below the first level.",
        desiredBehavior: "It is printed as \u201c-0\u201d at every level, as at the first.",
        keyInterfaces: [
          "src/format.ts: format(rows, options)",
          "src/render-cell.ts: renderCell(value, depth)",
        ],
        acceptanceCriteria: [
          "format() of a nested -0 contains \u201c-0\u201d.",
          "Numbers other than -0 print as before; the snapshot tests stay as they are.",
          "A test covers depths 0, 1 and 2.",
        ],
        outOfScope: ["Rounding of very small numbers (#97)."],
      },
    },
    policy: ["reproduction-verified", "one-state-one-category"],
    verification: {
      verdict: "reproduced",
      reason: null,
      script: SCRIPT,
      expect: { exitCode: 1, outputContains: "TypeError: sign lost" },
      runs: [
        { ...run, durationMs: 3_910 },
        { ...run, durationMs: 3_480 },
        { ...run, durationMs: 3_520 },
      ],
      commit: "9f2c1e7a4b60d8c35e1f0a97c2b84d6e3f5a1b09",
      range: ["First bad: 3.1.0 (commit 4d80b6c2e9a1).", "First fixed: no version or commit yet."],
      versions: [
        { state: "works", from: null },
        { state: "broken", from: "3.1.0" },
      ],
      sameFailureAs: [97],
    },
    checks: [{ at: at(2_300), verdict: "reproduced", matchedRuns: 3, runs: 3 }],
    comment: {
      url: "https://github.com/acme/widgets/issues/142#issuecomment-1",
      markdown: COMMENT,
      blocks: inertBlocks(COMMENT),
    },
    audit: {
      problem: null,
      entries: [
        {
          seq: 1,
          at: at(401),
          action: "publish",
          fact: "decided",
          text: "decided ready-for-agent (reproduction-verified)",
        },
        { seq: 2, at: at(402), action: "publish", fact: "intended", text: "publish-comment" },
        { seq: 3, at: at(403), action: "publish", fact: "done", text: "publish-comment: issuecomment-1" },
        {
          seq: 4,
          at: at(403),
          action: "publish",
          fact: "intended",
          text: "add-label ready-for-agent, bug; remove-label needs-triage",
        },
        {
          seq: 5,
          at: at(405),
          action: "publish",
          fact: "done",
          text: "labels read back: bug, ready-for-agent",
        },
      ],
    },
    nudges: [{ kind: "review_feedback", pullRequest: 160, atMs: startedAtMs + 2_000_000, refusal: null }],
    artifacts: [
      { kind: "recording", sizeBytes: 48_213, mediaType: "application/x-asciicast" },
      { kind: "outcome", sizeBytes: 2_914, mediaType: "application/json" },
      { kind: "verification-recording", sizeBytes: 9_877, mediaType: "application/x-asciicast" },
      { kind: "verification", sizeBytes: 5_120, mediaType: "application/json" },
      { kind: "comment", sizeBytes: 612, mediaType: "text/markdown" },
    ],
  };
}
