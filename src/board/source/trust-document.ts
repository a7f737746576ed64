import {
  ACCEPTANCE_BAR,
  decideAutonomy,
  evaluate,
  factsOfType,
  groupedBy,
  outcomeKey,
  outcomeKinds,
  recordOf,
  type TrustFact,
  wilsonInterval,
} from "../../trust/index.ts";
import type { DamagedRow } from "../../store/index.ts";
import type { TrustDocument } from "../api/index.ts";

/** The maximum number of moves, and of overrides, that the board shows. */
const MAX_LISTED = 100;

/**
 * Returns the trust facts of a home as the board shows them, of one repository or of all. Pure. `urlOf` returns an issue's URL if a
 * Triage Run recorded it. `damaged`: the facts that cannot be read, which the document names.
 */
export function trustDocument(
  facts: readonly TrustFact[],
  repo: string | null,
  urlOf: (repo: string, number: number) => string | null,
  damaged: readonly DamagedRow[],
): TrustDocument {
  const byRepo = groupedBy(facts, (fact) => fact.repo);
  const repos = [...byRepo.keys()].toSorted();
  const chosen = repo === null ? facts : (byRepo.get(repo) ?? []);
  const { groups, calibration } = evaluate(chosen);
  return {
    schema: "afk-triage/board-trust@1",
    repos,
    repo,
    groups: {
      all: [...groups.all],
      week: [...groups.week],
      kind: [...groups.kind],
      model: [...groups.model],
      prompt: [...groups.prompt],
    },
    calibration: [...calibration],
    earned: (repo === null ? repos : [repo]).flatMap((name) => earnedIn(name, byRepo.get(name) ?? [])),
    bar: ACCEPTANCE_BAR,
    moves: newest(movesOf(chosen)),
    overrides: overridesOf(chosen, urlOf),
    damaged: damaged.filter((row) => repo === null || row.repo === repo),
  };
}

/**
 * Returns what each kind has earned. Kinds without a judged outcome and without a veto have earned nothing yet and are omitted.
 */
function earnedIn(repo: string, facts: readonly TrustFact[]): TrustDocument["earned"] {
  return outcomeKinds.flatMap((kind) => {
    const record = recordOf(kind, facts);
    if (record.length === 0) return [];
    const { level, isHeld, judged } = decideAutonomy(record);
    const accepted = judged.filter(Boolean).length;
    const { lower } = wilsonInterval(accepted, judged.length);
    return [{ repo, kind, level, isHeld, judged: judged.length, accepted, lower }];
  });
}

function movesOf(facts: readonly TrustFact[]): TrustDocument["moves"] {
  const byRecord = factsOfType(facts, "moved").map(({ repo, number, atMs, detail }) => {
    const { kind, why, from, to, judged, accepted } = detail;
    return { repo, kind, atMs, why, from, to, judged, accepted, by: null, number };
  });
  const byHand = [...factsOfType(facts, "vetoed"), ...factsOfType(facts, "released")].map(
    ({ repo, atMs, type, detail: { kind, by } }) => {
      const nothing = { from: null, to: null, judged: null, accepted: null, number: null };
      return Object.assign(nothing, { repo, kind, atMs, why: type, by });
    },
  );
  return [...byRecord, ...byHand];
}

function overridesOf(
  facts: readonly TrustFact[],
  urlOf: (repo: string, number: number) => string | null,
): TrustDocument["overrides"] {
  const kinds = new Map(factsOfType(facts, "decided").map((fact) => [outcomeKey(fact), fact.detail.kind]));
  const rejected = factsOfType(facts, "answered").filter(({ detail }) => detail.answer === "reject");
  return newest([...factsOfType(facts, "overridden"), ...rejected]).flatMap((fact) => {
    const { repo, number, atMs } = fact;
    if (number === null) return [];
    const { by, afterMs } = fact.detail;
    const [how, instead] =
      fact.type === "overridden" ? [fact.detail.how, fact.detail.to ?? ""] : ["rejected", fact.detail.why];
    return [
      {
        repo,
        number,
        issueUrl: urlOf(repo, number),
        kind: kinds.get(outcomeKey(fact)) ?? null,
        atMs,
        how,
        instead,
        by: by.login,
        permission: by.permission,
        afterMs,
      },
    ];
  });
}

function newest<Row extends { atMs: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => other.atMs - one.atMs).slice(0, MAX_LISTED);
}
