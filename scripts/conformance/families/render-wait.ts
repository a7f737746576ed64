import { checkCondition, matchRenderWait, type RenderWaitCondition } from "agent-tty";
import { OperationalError } from "agent-tty/kit";
import { z } from "zod";
import { type CaseReport, compare, notCoveredSections, notExpressible, pickLike } from "../case-report.ts";
import { family } from "../family.ts";

const condition = z.custom<RenderWaitCondition>((value) => typeof value === "object" && value !== null);
const schema = z.looseObject({
  match: z.array(
    z.object({
      cond: condition,
      snap: z.object({
        visibleLines: z.array(z.string()),
        cursor: z.tuple([z.number(), z.number()]),
        seq: z.number(),
        scrollback: z.array(z.string()),
      }),
      stableForMs: z.number().nullish(),
      expect: z.record(z.string(), z.unknown()),
    }),
  ),
  invalid_conditions: z.array(condition),
  valid_conditions: z.array(condition),
  limits: z
    .strictObject({
      text_max: z.number(),
      regex_max: z.number(),
      regex_search_window_chars: z.number(),
      live_poll_ms: z.number(),
    })
    .optional(),
});

export const renderWait = family(/^agent_tty_render_wait_cases\.json$/, schema, (content) => [
  ...content.match.map(checkMatch),
  ...content.invalid_conditions.map((cond) => checkValidity(cond, "INVALID_WAIT_CONDITION")),
  ...content.valid_conditions.map((cond) => checkValidity(cond, "valid")),
  ...(content.limits === undefined ? [] : checkLimits(content.limits)),
  ...notCoveredSections(content, Object.keys(schema.shape), "unknown section"),
]);

function checkMatch(
  { cond, snap, stableForMs, expect }: z.infer<typeof schema>["match"][number],
  index: number,
): CaseReport {
  const [row, col] = snap.cursor;
  const screen = { visibleLines: snap.visibleLines, seq: snap.seq, cursor: { row, col } };
  const seen = matchRenderWait(cond, screen, stableForMs ?? null);
  return compare(`match ${index + 1} ${JSON.stringify(cond)}`, expect, pickLike(expect, seen));
}

function checkValidity(cond: RenderWaitCondition, expected: string): CaseReport {
  return compare(`condition ${JSON.stringify(cond)}`, expected, validity(withWholeStrings(cond)));
}

function checkLimits(limits: NonNullable<z.infer<typeof schema>["limits"]>): CaseReport[] {
  const atAndBeyond = (max: number, condition: (text: string) => RenderWaitCondition): string[] =>
    [max, max + 1].map((length) => validity(condition("x".repeat(length))));
  const accepted = ["valid", "INVALID_WAIT_CONDITION"];
  return [
    compare(
      "longest text",
      accepted,
      atAndBeyond(limits.text_max, (text) => ({ text })),
    ),
    compare(
      "longest regex",
      accepted,
      atAndBeyond(limits.regex_max, (regex) => ({ regex })),
    ),
    compare("search window of a regex", [true, false], searchWindow(limits.regex_search_window_chars)),
    notExpressible(
      "live_poll_ms",
      "live waits do not poll: they look when the screen has rendered something",
    ),
  ];
}

/** Returns whether the search finds a text that ends at the window's end, and one that ends one character beyond it. */
function searchWindow(windowCharacters: number): boolean[] {
  return [0, 1].map((beyond) => {
    const visibleLines = [`${" ".repeat(windowCharacters - 6 + beyond)}needle`];
    const screen = { visibleLines, seq: 1, cursor: { row: 0, col: 0 } };
    return matchRenderWait({ regex: "needle" }, screen, null).matched;
  });
}

function validity(cond: RenderWaitCondition): string {
  try {
    checkCondition(cond);
    return "valid";
  } catch (error) {
    if (error instanceof OperationalError) return error.code;
    throw error;
  }
}

/** Replaces `<1000 chars>` by a text of that length. */
function withWholeStrings(cond: RenderWaitCondition): RenderWaitCondition {
  const whole = (value: unknown): unknown => {
    const length = typeof value === "string" ? /^<(\d+) chars>$/.exec(value)?.[1] : undefined;
    return length === undefined ? value : "x".repeat(Number(length));
  };
  return Object.fromEntries(Object.entries(cond).map(([key, value]) => [key, whole(value)]));
}
