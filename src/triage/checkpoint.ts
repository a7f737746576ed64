import { z } from "zod";
import { redactSecrets, redactSecretsIn } from "../github/index.ts";
import { writtenOutcome } from "./outcome.ts";
import { type ParsedOutcome, parseOutcome } from "./outcome-reader/index.ts";

const count = z.number().nonnegative();

const candidate = z.strictObject({
  number: z.int().positive(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  reporter: z.int().nullable(),
  why: z.strictObject({
    words: z.array(z.string()),
    frames: z.array(z.string()),
    errors: z.array(z.string()),
  }),
});

/** `afk-triage/checkpoint@1`: what a Triage Run has paid for and delivered. */
export const checkpointSchema = z.strictObject({
  schema: z.literal("afk-triage/checkpoint@1"),
  repo: z.string(),
  number: z.int().positive(),
  /** The batch whose Triage Agent delivered it. */
  runId: z.string(),
  savedAt: z.string(),
  /** The snapshot hash of the issue as the Triage Agent read it; the checkpoint is valid only for that state. */
  snapshotHash: z.string(),
  /** How the Triage Agent ended. */
  end: z.enum(["finished", "timed-out", "over-budget", "blocked", "interrupted"]),
  outcome: z.discriminatedUnion("type", [
    /** The outcome file, without text that looks like a secret. */
    z.strictObject({ type: z.literal("file"), text: z.string() }),
    /** There was no readable outcome file; `message` is the explanation for the triage notes. */
    z.strictObject({ type: z.literal("none"), message: z.string() }),
  ]),
  /**
   * SHA-256 of the reproduction's script as it was read; null: there is no script, or an earlier version saved the checkpoint.
   */
  scriptHash: z.string().nullable().default(null),
  /** The path of the patch below the home's runs; null: the checkout was unchanged, or could not be read. */
  patch: z.string().nullable(),
  usage: z.strictObject({ inputTokens: count, outputTokens: count, usd: count }),
  /** The earlier issues that the Triage Agent could name as `duplicateOf`; empty in a checkpoint of an older version. */
  offered: z.array(candidate).default([]),
  /** Whether the summary of a batch has already included the usage. */
  isReported: z.boolean(),
});

export type Checkpoint = z.infer<typeof checkpointSchema>;

/** Returns the form in which a checkpoint stores an outcome. Pure. */
export function keptOutcome(parsed: ParsedOutcome): Checkpoint["outcome"] {
  if (parsed.type === "valid")
    return { type: "file", text: JSON.stringify(redactSecretsIn(writtenOutcome(parsed.outcome))) };
  return parsed.text === ""
    ? { type: "none", message: parsed.problem.message }
    : { type: "file", text: redactSecrets(parsed.text) };
}

/** Returns the outcome of a stored checkpoint, parsed and checked again. Pure. The inverse of `keptOutcome`. */
export function outcomeOf({ outcome, number }: Checkpoint): ParsedOutcome {
  return outcome.type === "file"
    ? parseOutcome(Buffer.from(outcome.text), number)
    : { type: "invalid", problem: { code: "incomplete", message: outcome.message }, text: "" };
}
