import { trustDocument } from "../../../src/board/source/trust-document.ts";
import type { TrustDocument } from "../../../src/board/index.ts";
import type { TrustFact } from "../../../src/trust/index.ts";
import { seeded } from "../seeded.ts";

const DAY_MS = 24 * 3_600_000;
const REPO = "acme/widgets";
const PERSON = { id: 7, login: "maria", permission: "maintain" };
const KINDS = [
  ["ready-for-agent", 0.99, 90],
  ["needs-info", 0.93, 40],
  ["close", 0.9, 12],
] as const;

/** A home without any outcome. */
export const noTrust: TrustDocument = trustDocument([], null, () => null, []);

/** Returns half a year of outcomes of an invented repository, most of them accepted. */
export function demoTrust(nowMs: number): TrustDocument {
  const random = seeded(7);
  const facts: TrustFact[] = KINDS.flatMap(([kind, accuracy, count]) =>
    Array.from({ length: count }, (_, index) => {
      const atMs = nowMs - DAY_MS * (8 + Math.floor((index * 60) / count));
      const number = 100 + index + count * 10;
      const confidence = random() < 0.7 ? ("high" as const) : ("medium" as const);
      // The oldest outcomes earned the level.
      const isProven = kind === "ready-for-agent" && index > 15;
      const isAccepted = isProven || random() < accuracy - (confidence === "high" ? 0 : 0.1);
      return outcomeFacts({ kind, number, atMs, confidence, isAccepted });
    }).flat(),
  );
  facts.push(
    place("moved", 1_017, nowMs - 12 * DAY_MS, {
      kind: "ready-for-agent",
      from: "suggest",
      to: "apply",
      why: "proven",
      judged: 73,
      accepted: 73,
      lower: 0.95,
    }),
  );
  return trustDocument(facts, null, (repo, number) => `https://github.com/${repo}/issues/${number}`, []);
}

interface Outcome {
  kind: (typeof KINDS)[number][0];
  number: number;
  atMs: number;
  confidence: "high" | "medium";
  isAccepted: boolean;
}

function outcomeFacts({ kind, number, atMs, confidence, isAccepted }: Outcome): TrustFact[] {
  const decided = place("decided", number, atMs, {
    kind,
    state: kind === "close" ? null : kind,
    category: "bug",
    confidence,
    close: null,
    level: "apply",
    policy: [],
    commentId: number,
    evidence: "confirmed",
    ms: 60_000,
    snapshotHash: "0",
    model: "claude-sonnet",
    prompt: "6f1c0b",
    usd: 0.18,
    tokens: 20_000,
  });
  const afterMs = 7 * DAY_MS;
  const judged = isAccepted
    ? place("stood", number, atMs + afterMs, { afterMs })
    : place("overridden", number, atMs + DAY_MS, {
        by: PERSON,
        source: "timeline",
        afterMs: DAY_MS,
        how: "label-changed",
        to: "ready-for-human",
      });
  return [decided, judged];
}

function place<Type extends TrustFact["type"]>(
  type: Type,
  number: number,
  atMs: number,
  detail: Extract<TrustFact, { type: Type }>["detail"],
): TrustFact {
  return {
    type,
    key: `${type} ${number} ${atMs}`,
    repo: REPO,
    number,
    runId: `batch-${number}`,
    atMs,
    detail,
  } as TrustFact;
}
