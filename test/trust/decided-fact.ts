import type { TrustFact } from "../../src/trust/index.ts";

type Decided = Extract<TrustFact, { type: "decided" }>;

/** A Wednesday. */
export const BEGIN_MS = Date.parse("2026-11-04T12:00:00Z");

/** Returns the fact that an issue's outcome was decided; by default an applied question to the reporter. */
export function decidedFact(
  number: number,
  change: Partial<Decided["detail"]> = {},
  place: Partial<Pick<Decided, "repo" | "atMs" | "runId">> = {},
): Decided {
  const detail = {
    kind: "needs-info",
    state: "needs-info",
    category: "bug",
    confidence: "high",
    close: null,
    level: "apply",
    policy: [] as string[],
    commentId: null,
    evidence: null,
    ms: 0,
    snapshotHash: "",
    model: "small",
    prompt: "p1",
    usd: 0.5,
    tokens: 0,
    ...change,
  } as const;
  const { repo = "o/r", atMs = BEGIN_MS, runId = "r" } = place;
  return { type: "decided", key: `decided:${repo}#${number}`, repo, number, runId, atMs, detail };
}
