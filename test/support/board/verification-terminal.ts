import type { TerminalFrame } from "../../../src/board/index.ts";
import type { RecordedTerminal } from "./recorded-terminal.ts";

const LINES: readonly (readonly [tMs: number, text: string])[] = [
  [
    200,
    "\u001b[90m$\u001b[0m sh reproduction.sh   \u001b[90m# run 1 of 3, clean checkout of 9f2c1e7\u001b[0m\r\n",
  ],
  [
    2_900,
    '\u001b[90mfile:///checkout/[eval1]:5\u001b[0m\r\n    throw new TypeError("sign lost: " + text);\r\n          ^\r\n\r\n',
  ],
  [
    3_000,
    "\u001b[31mTypeError\u001b[0m: sign lost: delta  -0\r\ninner\r\n  delta  0\r\n    at file:///checkout/[eval1]:5:11\r\n\r\n",
  ],
  [
    3_900,
    "\u001b[38;2;87;171;90mexit code 1, output contains \u201cTypeError: sign lost\u201d\u001b[0m: as the report says\r\n\r\n",
  ],
];

/** Returns the parent's own Session: three runs of the script. */
export function verificationTerminal(startedAtMs: number): RecordedTerminal {
  const frames: TerminalFrame[] = [{ type: "reset", seq: 0, t: 0, cols: 80, rows: 24, paint: "" }];
  for (const run of [0, 1, 2]) {
    frames.push({ type: "mark", seq: frames.length, t: run * 4_000 + 150, label: `run ${run + 1}` });
    for (const [tMs, text] of LINES) {
      const data = Buffer.from(text.replace("run 1", `run ${run + 1}`)).toString("base64");
      frames.push({ type: "output", seq: frames.length, t: run * 4_000 + tMs, data });
    }
  }
  frames.push({ type: "exit", seq: frames.length, t: 12_400, exitCode: 0 });
  return {
    recording: {
      schema: "afk-triage/board-recording@1",
      sessionId: "01J9Z6Q0W3N5Y8T4B2C7D1E6FJ",
      startedAtMs,
      durationMs: 12_400,
      isTruncated: false,
      window: { startMs: 0, endMs: 12_400, isEnd: true },
      frames,
    },
    states: { schema: "afk-triage/board-states@1", states: [], isTruncated: false },
  };
}
