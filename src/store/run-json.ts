import { z } from "zod";
import { evidenceFactsSchema, runPhases } from "../runs/index.ts";

export const phaseHistory = z.array(z.object({ phase: z.enum(runPhases), atMs: z.number() })).min(1);

export const pullRequests = z.array(
  z.object({
    number: z.int(),
    url: z.string(),
    state: z.enum(["open", "merged", "closed"]),
    isDraft: z.boolean(),
    checks: z.enum(["none", "pending", "passing", "failing"]),
    review: z.enum(["none", "review_required", "approved", "changes_requested"]),
    hasUnresolvedHumanComments: z.boolean(),
    mergeability: z.enum(["unknown", "mergeable", "conflicting"]),
    updatedAtMs: z.number(),
    // Rows of older versions do not have these fields.
    headSha: z.string().nullable().default(null),
    checksSignature: z.string().nullable().default(null),
    feedbackSignature: z.string().nullable().default(null),
  }),
);

export const nudges = z.array(
  z.object({
    kind: z.enum(["checks-failing", "review-feedback", "merge-conflict"]),
    number: z.int(),
    signature: z.string(),
    // Rows of older versions contain only nudges that were sent.
    refusal: z.string().nullable().default(null),
    atMs: z.number().nullable().default(null),
  }),
);

export const issueFacts = z.object({
  title: z.string(),
  url: z.string(),
  waitingSinceMs: z.number().nullable(),
});

export const resultFacts = z.object({
  category: z.string().nullable(),
  commentUrl: z.string().nullable(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number(), usd: z.number() }),
  policy: z.array(z.string()).optional(),
  evidence: evidenceFactsSchema.nullish(),
  keptUntilMs: z.number().nullish(),
});
