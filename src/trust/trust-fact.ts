import { OperationalError } from "agent-tty/kit";
import { z } from "zod";
import type { StoreErrorCode } from "../store/index.ts";
import { autonomyLevels, outcomeKinds } from "./outcome-kind.ts";

const person = z.object({ id: z.int(), login: z.string(), permission: z.string() });

/** A person's act that GitHub reported: its author, its source, and the time after the outcome in milliseconds. */
const act = { by: person, source: z.string(), afterMs: z.int() };

/** The recorded facts about outcomes and autonomy, by `type`. */
const details = {
  /** An outcome that was applied, proposed or withheld. `snapshotHash` is the snapshot hash of the issue at the decision. */
  decided: z.object({
    kind: z.enum(outcomeKinds),
    state: z.string().nullable(),
    category: z.string().nullable(),
    confidence: z.enum(["low", "medium", "high"]).nullable(),
    close: z.string().nullable(),
    level: z.enum(autonomyLevels),
    policy: z.array(z.string()),
    commentId: z.int().nullable(),
    /** The verdict of the parent's own runs; null: there were none. */
    evidence: z.string().nullable().default(null),
    /** The time from the lock to the decision, in milliseconds. */
    ms: z.int().default(0),
    snapshotHash: z.string(),
    model: z.string(),
    /** A digest of prompt and skill. */
    prompt: z.string(),
    usd: z.number(),
    tokens: z.int(),
  }),
  /** A person with the right to triage answered a proposal. */
  answered: z.object({ ...act, answer: z.enum(["accept", "reject"]), why: z.string() }),
  /** A person undid or changed an outcome. `to` is the state role that they chose instead, if they chose one. */
  overridden: z.object({
    ...act,
    how: z.enum([
      "label-changed",
      "reopened",
      "closed",
      "marked-as-duplicate",
      "comment-minimised",
      "comment-deleted",
      "undone",
      "reaction",
      "suggestion-dismissed",
    ]),
    to: z.string().nullable(),
  }),
  /** A person agreed without being asked: with a reaction, by adding the same label, or by approving a suggestion. */
  endorsed: z.object({ ...act, how: z.enum(["reaction", "same-label", "suggestion-approved"]) }),
  /** The reporter's first reply after the outcome. It is used for latency and is not a judgement. */
  replied: z.object({ afterMs: z.int() }),
  /** A proposal was also made with GitHub's own suggestions; empty: none was needed. */
  suggested: z.object({ labels: z.array(z.string()) }),
  /** A repository was checked for a feature of GitHub. A feature that it does not have is not checked again on that day. */
  probed: z.object({ suggestions: z.boolean() }),
  /**
   * A repository's issues were listed in the order of their updates, up to this time of GitHub's clock, and all changed outcomes
   * were observed.
   */
  listed: z.object({ upTo: z.string() }),
  /** The outcome was observed without a relevant result. */
  looked: z.object({}),
  /** The observation of an outcome ended without an objection. */
  stood: z.object({ afterMs: z.int() }),
  /** E4: a move of earned autonomy. */
  moved: z.object({
    kind: z.enum(outcomeKinds),
    from: z.string(),
    to: z.string(),
    why: z.string(),
    judged: z.int(),
    accepted: z.int(),
    lower: z.number(),
  }),
  vetoed: z.object({ kind: z.enum(outcomeKinds), by: z.string() }),
  released: z.object({ kind: z.enum(outcomeKinds), by: z.string() }),
} as const;

type Details = { [Type in keyof typeof details]: z.infer<(typeof details)[Type]> };
export type TrustFactType = keyof Details;

/** The outcome or repository to which a fact belongs. `runId` is the batch of the outcome. */
interface Place {
  key: string;
  repo: string;
  number: number | null;
  runId: string;
  atMs: number;
}

export type TrustFactOf<Type extends TrustFactType> = Place & { type: Type; detail: Details[Type] };
export type TrustFact = { [Type in TrustFactType]: TrustFactOf<Type> }[TrustFactType];

/** Returns the key of the outcome that a fact is about: one issue of one repository in one batch. */
export function outcomeKey({ repo, number, runId }: Pick<Place, "repo" | "number" | "runId">): string {
  return `${repo}#${number} ${runId}`;
}

/**
 * Parses a stored fact; null: this version does not know its type, because a later version wrote it. Throws STORE_CORRUPT if the
 * fact is damaged.
 */
export function parseTrustFact(stored: Place & { type: string; detail: unknown }): TrustFact | null {
  if (!Object.hasOwn(details, stored.type)) return null;
  const type = stored.type as TrustFactType;
  const detail = details[type].safeParse(stored.detail);
  if (!detail.success) throw damaged(stored.key, detail.error);
  return { ...stored, type, detail: detail.data } as TrustFact;
}

/** Returns the facts of one type, in their order. */
export function factsOfType<Type extends TrustFactType>(
  facts: readonly TrustFact[],
  type: Type,
): TrustFactOf<Type>[] {
  // TypeScript does not infer the type of `detail` from `type`.
  return facts.filter((fact) => fact.type === type) as unknown as TrustFactOf<Type>[];
}

const MAX_PROBLEM = 300;

function damaged(key: string, error: z.ZodError): OperationalError<StoreErrorCode> {
  const problem = z.prettifyError(error).replaceAll(/\s+/g, " ").slice(0, MAX_PROBLEM);
  return new OperationalError({
    code: "STORE_CORRUPT",
    message: `the fact ${key} about an outcome cannot be read: ${problem}`,
    remedy: "If a later version of afk-triage wrote it, update. Otherwise remove its row from trust_facts.",
    cause: error,
  });
}
