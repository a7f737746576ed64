import { createHash } from "node:crypto";
import { z } from "zod";

/** One write to GitHub, as far as an undo needs it. */
const writeSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("publish-comment"), commentId: z.int().nullable(), bodyHash: z.string() }),
  z.strictObject({ type: z.literal("add-label"), label: z.string() }),
  z.strictObject({ type: z.literal("remove-label"), label: z.string() }),
  z.strictObject({ type: z.literal("close"), reason: z.enum(["not_planned", "completed", "duplicate"]) }),
  /** Proposed to GitHub itself: no label is on the issue yet. */
  z.strictObject({ type: z.literal("suggest-labels"), labels: z.array(z.string()) }),
  z.strictObject({ type: z.literal("dismiss-suggestion"), id: z.int() }),
  z.strictObject({ type: z.literal("delete-comment"), commentId: z.int() }),
  z.strictObject({ type: z.literal("reopen") }),
]);

/** The facts that the audit log records. Every write has an `intended` before it and, when GitHub took it, a `done` after it. */
const factSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("decided"),
    outcome: z.string(),
    category: z.string().nullable(),
    policy: z.array(z.string()),
    /** Labels when the decision was about to be applied. */
    labels: z.array(z.string()),
  }),
  z.strictObject({ type: z.literal("intended"), write: writeSchema }),
  z.strictObject({ type: z.literal("done"), write: writeSchema }),
  /** E4: autonomy of a kind moved, by the judgement of an outcome of this issue. */
  z.strictObject({
    type: z.literal("autonomy-moved"),
    kind: z.string(),
    from: z.string(),
    to: z.string(),
    why: z.string(),
    judged: z.int(),
    accepted: z.int(),
  }),
]);

/**
 * One line of the audit log. `hash` covers everything else of the line, `previous` is the hash of the line before it: a
 * line that was changed, taken out or put in breaks the chain from there on.
 */
export const auditEntrySchema = z.strictObject({
  seq: z.int().positive(),
  at: z.iso.datetime(),
  /** `autonomy` is no write to GitHub. */
  action: z.enum(["publish", "undo", "autonomy"]),
  repo: z.string(),
  number: z.int().positive(),
  fact: factSchema,
  previous: z.string().nullable(),
  hash: z.string(),
});

export type AuditWrite = z.infer<typeof writeSchema>;
export type AuditFact = z.infer<typeof factSchema>;
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** SHA-256 over the entry without its hash, as JSON; hex. */
export function hashOf(entry: Omit<AuditEntry, "hash">): string {
  const { seq, at, action, repo, number, previous } = entry;
  // Parsing puts the fields into the schema's order, independent of the order in the object.
  const text = JSON.stringify([seq, at, action, repo, number, factSchema.parse(entry.fact), previous]);
  return createHash("sha256").update(text).digest("hex");
}

/**
 * The SHA-256 of a comment's body in hexadecimal. Line ends and outer blanks, which GitHub changes, do not count.
 */
export function bodyHashOf(body: string): string {
  return createHash("sha256").update(body.replaceAll("\r\n", "\n").trim()).digest("hex");
}
