import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const RULE = "─".repeat(60);
const PROMPT = "❯\u00a0";
const BOX = [RULE, PROMPT, RULE];

/** Minimal screens of Claude Code. */
export const IDLE = [...BOX, "  ? for shortcuts"];
export const WORKING = [
  "❯ count to three",
  "",
  "✻ Counting… (2s · ↓ 12 tokens)",
  "",
  ...BOX,
  "  esc to interrupt",
];
export const DONE = [
  "❯ count to three",
  "",
  "● One, two, three.",
  "",
  "✻ Baked for 5s",
  "",
  ...BOX,
  "  ? for shortcuts",
];

const INTERVALS = [
  { t0: 1_400, t1: 2_850, label: "ready", last_result: "none" },
  { t0: 3_800, t1: 7_850, label: "active", allowed_last_result: ["none"] },
];
const SUCCESS = { t0: 9_500, t1: 12_000, label: "success_ready", last_result: "success" };
const STILL_ACTIVE = { t0: 9_500, t1: 12_000, label: "active", allowed_last_result: ["none"] };

/** Writes a recording of one Turn that succeeds at 8 s, with a truth that agrees or contradicts. */
export async function writeHandmade(directory: string, truth: "agreeing" | "contradicting"): Promise<void> {
  const name = `handmade-${truth}`;
  const paint = (t_ms: number, lines: readonly string[]): object => ({
    t_ms,
    type: "output",
    // The cursor is in the composer, as in the real program.
    b64: Buffer.from(`\x1b[2J\x1b[H${lines.join("\r\n")}\x1b[${lines.indexOf(PROMPT) + 1};3H`).toString(
      "base64",
    ),
  });
  const lines = [
    { type: "header", recording: name, tool: "claude", version: "2.1.197 (Claude Code)", cols: 80, rows: 24 },
    paint(1_000, IDLE),
    { t_ms: 3_000, type: "input", b64: "DQ==", sem: "submit" },
    paint(3_100, WORKING),
    { t_ms: 5_000, type: "a mark that nobody knows", note: "left out" },
    paint(8_000, DONE),
    { t_ms: 12_000, type: "end" },
  ];
  await writeFile(
    join(directory, `${name}.rec.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  const document = {
    recording: name,
    tool: "claude",
    duration_ms: 12_000,
    intervals: [...INTERVALS, truth === "agreeing" ? SUCCESS : STILL_ACTIVE],
    transitions: [{ t_ms: 3_000, to: "active" }],
    turn_ends: truth === "agreeing" ? [{ t_ms: 8_000, result: "success" }] : [],
  };
  await writeFile(join(directory, `${name}.truth.json`), JSON.stringify(document));
}

/** Writes the same Turn as labelled samples; `phaseAtEnd` is the phase of the last sample. */
export async function writeHandmadeSamples(directory: string, phaseAtEnd: "ready" | "active"): Promise<void> {
  const sample = (t: number, screen: string, phase: string, result: string): object => ({
    id: `s${t}`,
    t,
    screen,
    label: phase,
    expected: {
      "diagnostics.availability": "available",
      "surface.accepting_input": "yes",
      "surface.editing_input": "no",
      "surface.ready_posture": phase === "active" ? "unknown" : "yes",
      "turn.phase": phase,
      "last_turn.result": result,
      "last_turn.source": result === "none" ? "none" : "explicit_input",
    },
  });
  const document = {
    format: "tui-recording/1",
    case: `samples-${phaseAtEnd}`,
    tool: "claude",
    observed_version: "2.1.81",
    settle_seconds: 1,
    inputs: [
      { t: 1.5, kind: "key", data: "x" },
      { t: 2, kind: "submit" },
    ],
    samples: [
      sample(1, "idle", "ready", "none"),
      sample(3, "working", "active", "none"),
      sample(5, "done", "ready", "none"),
      sample(6.5, "done", phaseAtEnd, "success"),
    ],
    screens: { idle: IDLE.join("\n"), working: WORKING.join("\n"), done: DONE.join("\n") },
  };
  await writeFile(join(directory, `of-any-name-${phaseAtEnd}.json`), JSON.stringify(document));
}
