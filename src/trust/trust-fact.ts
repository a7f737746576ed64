import { z } from "zod";
import { autonomyLevels, outcomeKinds } from "./outcome-kind.ts";

const person = z.object({ id: z.int(), login: z.string(), permission: z.string() });

/** A person's act that GitHub told of: by whom, where it is to be read, and how long after the outcome, in milliseconds. */
const act = { by: person, source: z.string(), afterMs: z.int() };

/** The recorded facts about outcomes and autonomy, by `type`. */
const details = {
  /** An outcome as it was applied, proposed or withheld. `snapshotHash` is what it was decided on. */
  decided: z.object({
    kind: z.enum(outcomeKinds),
    state: z.string().nullable(),
    category: z.string().nullable(),
    confidence: z.enum(["low", "medium", "high"]).nullable(),
    close: z.string().nullable(),
    level: z.enum(autonomyLevels),
    policy: z.array(z.string()),
    commentId: z.int().nullable(),
    /** The verdict of the parent's own runs; null: it ran none. */
    evidence: z.string().nullable().default(null),
    /** From the lock to the decision, in milliseconds. */
    ms: z.int().default(0),
    snapshotHash: z.string(),
    model: z.string(),
    /** A digest of prompt and skill. */
    prompt: z.string(),
    usd: z.number(),
    tokens: z.int(),
  }),
  /** Somebody who may triage answered a proposal. */
  answered: z.object({ ...act, answer: z.enum(["accept", "reject"]), why: z.string() }),
  /** A person undid or changed an outcome. `to` is the state role that they chose instead, if they chose one. */
  overridden: z.object({
    ...act,
    how: z.enum([
      "label-changed",
      "reopened",
      "comment-minimised",
      "comment-deleted",
      "undone",
      "reaction",
      "suggestion-dismissed",
    ]),
    to: z.string().nullable(),
  }),
  /** A person said yes without being asked: a reaction, or the same label by their own hand. */
  endorsed: z.object({ ...act, how: z.enum(["reaction", "same-label", "suggestion-approved"]) }),
  /** A person reopened what they or others had closed, or the reporter replied: for latency, no judgement. */
  replied: z.object({ afterMs: z.int() }),
  /** A proposal was also made as suggestions of GitHub's own; empty: none was needed. */
  suggested: z.object({ labels: z.array(z.string()) }),
  /** A repository was asked for a feature of GitHub; what it has not is not asked for again that day. */
  probed: z.object({ suggestions: z.boolean() }),
  /** A repository's issues were listed in the order of their updates, up to this time (GitHub's), and all changed outcomes were looked at. */
  listed: z.object({ upTo: z.string() }),
  /** The outcome was looked at; nothing that counts was seen. */
  looked: z.object({}),
  /** The observation of an outcome is over: nothing spoke against it. */
  stood: z.object({ afterMs: z.int() }),
  /** E4. */
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

/** Where a fact belongs. `runId` is the batch of the outcome that it is about. */
interface Place {
  key: string;
  repo: string;
  number: number | null;
  runId: string;
  atMs: number;
}

export type TrustFactOf<Type extends TrustFactType> = Place & { type: Type; detail: Details[Type] };
export type TrustFact = { [Type in TrustFactType]: TrustFactOf<Type> }[TrustFactType];

/** Names the outcome that a fact is about: one issue of one repository in one batch. */
export function outcomeKey({ repo, number, runId }: Pick<Place, "repo" | "number" | "runId">): string {
  return `${repo}#${number} ${runId}`;
}

/** null: a later version of the program wrote it, and this one does not know its type. Throws where it is damaged. */
export function parseTrustFact(stored: Place & { type: string; detail: unknown }): TrustFact | null {
  if (!Object.hasOwn(details, stored.type)) return null;
  const type = stored.type as TrustFactType;
  return { ...stored, type, detail: details[type].parse(stored.detail) } as TrustFact;
}

/** The facts of one type, in their order. */
export function factsOfType<Type extends TrustFactType>(
  facts: readonly TrustFact[],
  type: Type,
): TrustFactOf<Type>[] {
  // TypeScript does not see that the type decides the detail.
  return facts.filter((fact) => fact.type === type) as unknown as TrustFactOf<Type>[];
}
