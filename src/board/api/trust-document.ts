import { z } from "zod";
import { damagedRowSchema } from "./list-documents.ts";

/** Shares from 0 to 1: the rate, and the bounds of its 95 % interval. */
const acceptance = z.object({ rate: z.number(), lower: z.number(), upper: z.number() });

/** One group of outcomes, as `afk-triage eval` reports it. */
const row = z.object({
  /** The Monday of the week, the kind, the model, the prompt's digest, or the confidence. */
  value: z.string(),
  decided: z.int(),
  judged: z.int(),
  accepted: z.int(),
  /** The share of the judged outcomes that were accepted; null while none is judged. */
  acceptance: acceptance.nullable(),
  overridden: z.int(),
  reopened: z.int(),
  /** The median time until a reply, in milliseconds; null: there was no reply. */
  medianReplyMs: z.number().nullable(),
  usd: z.number(),
  usdPerAccepted: z.number().nullable(),
});
export type TrustRowDocument = z.infer<typeof row>;

/** The reactions of maintainers to past outcomes (E5), and the autonomy that each kind of outcome has earned (E4). */
export const trustSchema = z.object({
  schema: z.literal("afk-triage/board-trust@1"),
  /** Every repository with outcomes, sorted by name. */
  repos: z.array(z.string()),
  /** The repository that the rest of the document describes; null: all repositories. */
  repo: z.string().nullable(),
  groups: z.object({
    all: z.array(row),
    week: z.array(row),
    kind: z.array(row),
    model: z.array(row),
    prompt: z.array(row),
  }),
  /** The outcomes grouped by the confidence that the Triage Agent stated. */
  calibration: z.array(row),
  /** For each kind with judged outcomes, the level that `earned` would allow now, whatever the settings are. */
  earned: z.array(
    z.object({
      repo: z.string(),
      kind: z.string(),
      level: z.enum(["shadow", "suggest", "apply"]),
      /** Whether a person's veto is in force. */
      isHeld: z.boolean(),
      /** The number of outcomes judged since the last move. */
      judged: z.int(),
      accepted: z.int(),
      /** The lower bound of the acceptance, which has to reach `bar`. */
      lower: z.number(),
    }),
  ),
  /** The acceptance that `earned` requires. */
  bar: z.number(),
  /** The newest moves, vetoes and releases of autonomy; the newest first. */
  moves: z.array(
    z.object({
      repo: z.string(),
      kind: z.string(),
      atMs: z.number(),
      /** The reason. `vetoed` or `released`: a person's act. */
      why: z.string(),
      /** null: the change was made by hand. */
      from: z.string().nullable(),
      to: z.string().nullable(),
      judged: z.int().nullable(),
      accepted: z.int().nullable(),
      /** The person who vetoed or released. */
      by: z.string().nullable(),
      /** The issue whose judged outcome caused the move. */
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
      /** The time since the outcome, in milliseconds. */
      afterMs: z.number(),
    }),
  ),
  /** Facts that cannot be read; nothing above counts them (B7). */
  damaged: z.array(damagedRowSchema),
});
export type TrustDocument = z.infer<typeof trustSchema>;
