import { createHash } from "node:crypto";
import { z } from "zod";

/** One write to GitHub, with the data that an undo needs. */
const writeSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("publish-comment"), commentId: z.int().nullable(), bodyHash: z.string() }),
  z.strictObject({ type: z.literal("add-label"), label: z.string() }),
  z.strictObject({ type: z.literal("remove-label"), label: z.string() }),
  z.strictObject({ type: z.literal("close"), reason: z.enum(["not_planned", "completed", "duplicate"]) }),
  /** Labels suggested to GitHub: the issue does not have them yet. */
  z.strictObject({ type: z.literal("suggest-labels"), labels: z.array(z.string()) }),
  z.strictObject({ type: z.literal("dismiss-suggestion"), id: z.int() }),
  z.strictObject({ type: z.literal("delete-comment"), commentId: z.int() }),
  z.strictObject({ type: z.literal("reopen") }),
]);

/** The facts that the audit log records. An `intended` precedes every write, and a `done` follows it when GitHub accepted it. */
const factSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("decided"),
    outcome: z.string(),
    category: z.string().nullable(),
    policy: z.array(z.string()),
    /** The labels just before the decision was applied. */
    labels: z.array(z.string()),
  }),
  z.strictObject({ type: z.literal("intended"), write: writeSchema }),
  z.strictObject({ type: z.literal("done"), write: writeSchema }),
  /** The autonomy of a kind of outcome changed, because an outcome of this issue was judged (E4). */
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
 * One line of the audit log. `hash` covers the rest of the line, and `previous` is the hash of the line before it. A line that
 * was changed, removed or inserted breaks the chain from there on.
 */
export const auditEntrySchema = z.strictObject({
  seq: z.int().positive(),
  at: z.iso.datetime(),
  /** `autonomy` is not a write to GitHub. */
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

/** Returns the SHA-256 of the entry without its hash, as JSON; in hexadecimal. */
export function hashOf(entry: Omit<AuditEntry, "hash">): string {
  const { seq, at, action, repo, number, previous } = entry;
  // Parsing puts the fields into the schema's order, independent of the order in the object.
  const text = JSON.stringify([seq, at, action, repo, number, factSchema.parse(entry.fact), previous]);
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Returns the SHA-256 of a comment's body in hexadecimal. Line ends and leading or trailing white space do not count, because
 * GitHub changes them.
 */
export function bodyHashOf(body: string): string {
  return createHash("sha256").update(body.replaceAll("\r\n", "\n").trim()).digest("hex");
}
