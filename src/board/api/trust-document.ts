import { z } from "zod";

/** From 0 to 1, at 95 %. */
const acceptance = z.object({ rate: z.number(), lower: z.number(), upper: z.number() });

/** One group of outcomes, as `afk-triage eval` tells it. */
const row = z.object({
  /** The Monday of the week, the kind, the model, the prompt's digest, or the confidence. */
  value: z.string(),
  decided: z.int(),
  judged: z.int(),
  accepted: z.int(),
  /** The share of accepted among the judged outcomes; null while none is judged. */
  acceptance: acceptance.nullable(),
  overridden: z.int(),
  reopened: z.int(),
  /** In milliseconds; null: nobody replied. */
  medianReplyMs: z.number().nullable(),
  usd: z.number(),
  usdPerAccepted: z.number().nullable(),
});
export type TrustRowDocument = z.infer<typeof row>;

/** E5: what maintainers made of past outcomes, and what each kind of outcome has earned (E4). */
export const trustSchema = z.object({
  schema: z.literal("afk-triage/board-trust@1"),
  /** Every repository with outcomes, in order of the name. */
  repos: z.array(z.string()),
  /** The repository that all the rest is about; null: all of them. */
  repo: z.string().nullable(),
  groups: z.object({
    all: z.array(row),
    week: z.array(row),
    kind: z.array(row),
    model: z.array(row),
    prompt: z.array(row),
  }),
  /** By the confidence that the Triage Agent stated. */
  calibration: z.array(row),
  /** Kinds with judged outcomes: what `earned` would allow now, whatever the settings are. */
  earned: z.array(
    z.object({
      repo: z.string(),
      kind: z.string(),
      level: z.enum(["shadow", "suggest", "apply"]),
      /** A person's veto stands. */
      isHeld: z.boolean(),
      /** Since the last move. */
      judged: z.int(),
      accepted: z.int(),
      /** The lower bound that has to reach `bar`. */
      lower: z.number(),
    }),
  ),
  /** The acceptance that `earned` asks for. */
  bar: z.number(),
  /** The newest moves, vetoes and releases of autonomy; the newest first. */
  moves: z.array(
    z.object({
      repo: z.string(),
      kind: z.string(),
      atMs: z.number(),
      /** `by-hand`: a person's veto or release. */
      why: z.string(),
      /** null: by hand. */
      from: z.string().nullable(),
      to: z.string().nullable(),
      judged: z.int().nullable(),
      accepted: z.int().nullable(),
      /** Who vetoed or released. */
      by: z.string().nullable(),
      /** The issue whose judgement tipped it. */
      number: z.int().nullable(),
    }),
  ),
  /** The newest outcomes that people did not accept; the newest first. */
  overrides: z.array(
    z.object({
      repo: z.string(),
      number: z.int(),
      issueUrl: z.string().nullable(),
      kind: z.string().nullable(),
      atMs: z.number(),
      how: z.string(),
      /** The state that the person chose instead, or the reason that they gave. */
      instead: z.string(),
      by: z.string(),
      permission: z.string(),
      /** Since the outcome, in milliseconds. */
      afterMs: z.number(),
    }),
  ),
});
export type TrustDocument = z.infer<typeof trustSchema>;
