import { messageOf } from "agent-tty/kit";
import pLimit from "p-limit";
import {
  type GithubReader,
  issueKey,
  type IssueRef,
  type Person,
  type RepositoryName,
  type RepositoryPermission,
} from "../../github/index.ts";
import {
  type AutonomyLevel,
  effectiveLevel,
  factsOfType,
  openTrustLedger,
  type OutcomeKind,
  type TrustFact,
  type TrustFactOf,
  type TrustLedger,
} from "../../trust/index.ts";
import type { PublicationTarget } from "../policy/index.ts";
import { kindOf, restrain, type Restrained } from "../publication/index.ts";
import type { Store } from "../../store/index.ts";
import type { BatchObserver } from "./batch-event.ts";
import type { BatchSettings } from "./settings.ts";

/**
 * A batch's view of the trust facts, and the facts that it adds. If the store fails, facts are lost, but no Triage Run fails
 * (C7).
 */
export interface BatchTrust {
  /**
   * Returns the level of autonomy, which stays the same for the whole batch; null: no part of the target needs trust. A kind whose
   * level is earned is at `shadow` if the facts cannot be read.
   */
  levelOf(repo: RepositoryName, target: PublicationTarget): AutonomyLevel | null;
  restrain(repo: RepositoryName, target: PublicationTarget, hasComment: boolean): Restrained;
  /** Returns the outcome that was withheld for the issue's present snapshot and would be withheld again; null: there is none. */
  withheld(ref: IssueRef, snapshotHash: string): TrustFactOf<"decided"> | null;
  facts(repo: RepositoryName): readonly TrustFact[];
  /** Records a fact about trust. A dry run records nothing. */
  record(fact: TrustFact): void;
  /** Runs the calls one after the other, so that GitHub is asked only once whether it has suggestions. */
  inTurn(work: () => Promise<void>): Promise<void>;
  /**
   * Returns a person's permission in the repository, which GitHub is asked for once per batch and person. Returns `unknown` if
   * GitHub does not report it.
   */
  permission(repo: RepositoryName, person: Person, signal: AbortSignal): Promise<RepositoryPermission>;
}

export interface TrustPorts {
  store: Pick<Store, "recordTrustFact" | "trustFacts">;
  reader: Pick<GithubReader, "permission">;
  observe: BatchObserver;
}

/**
 * Opens the trust facts for one batch. If the store fails, it reports a warning, and no Triage Run ends.
 */
export function openBatchTrust(
  settings: Pick<BatchSettings, "autonomy" | "dryRun">,
  { store, reader, observe }: TrustPorts,
): BatchTrust {
  const ledger = openTrustLedger(store);
  const orNothing = <Value>(
    attempted: string,
    otherwise: Value,
    act: (ledger: TrustLedger) => Value,
  ): Value => {
    try {
      return act(ledger);
    } catch (error) {
      observe({ type: "warning", message: `${attempted}: ${messageOf(error)}` });
      return otherwise;
    }
  };
  const factsIfRead = (repo: RepositoryName): readonly TrustFact[] | null =>
    orNothing("the trust facts about earlier outcomes were not read", null, (known) => known.of(repo));
  const facts = (repo: RepositoryName): readonly TrustFact[] => factsIfRead(repo) ?? [];
  // Without its record, a kind may have fallen to the lowest level that can be earned.
  const levelNow = (kind: OutcomeKind, repo: RepositoryName): AutonomyLevel => {
    const known = settings.autonomy[kind] === "earned" ? factsIfRead(repo) : [];
    return known === null ? "shadow" : effectiveLevel(kind, settings.autonomy, known);
  };
  const levels = new Map<string, AutonomyLevel>();
  const levelOf = (repo: RepositoryName, target: PublicationTarget): AutonomyLevel | null => {
    const kind = kindOf(target);
    if (kind === null) return null;
    const level = levels.get(`${repo} ${kind}`) ?? levelNow(kind, repo);
    levels.set(`${repo} ${kind}`, level);
    return level;
  };
  const permissions = new Map<string, Promise<RepositoryPermission>>();
  const turns = pLimit(1);
  return {
    inTurn: (work) => turns(work),
    levelOf,
    restrain: (repo, target, hasComment) => restrain(target, levelOf(repo, target) ?? "apply", hasComment),
    withheld: (ref, snapshotHash) => {
      const known = orNothing(`the withheld outcomes of ${issueKey(ref)} were not read`, [], (of) =>
        of.ofIssue(ref.repo, ref.number),
      );
      const last = factsOfType(known, "decided").at(-1);
      if (last === undefined || last.detail.snapshotHash !== snapshotHash || !isWithheld(last)) return null;
      return isWithheldLevel(levelNow(last.detail.kind, ref.repo)) ? last : null;
    },
    facts,
    record: (fact) => {
      if (!settings.dryRun) orNothing("a trust fact was not stored", false, (known) => known.record(fact));
    },
    permission: (repo, person, signal) => {
      const key = `${repo} ${person.id}`;
      const asked = permissions.get(key) ?? reader.permission(repo, person, signal);
      permissions.set(key, asked);
      // A failed lookup is not cached, so that the next issue asks again.
      asked.catch(() => permissions.delete(key));
      return asked;
    },
  };
}

function isWithheld({ detail }: TrustFactOf<"decided">): boolean {
  return isWithheldLevel(detail.level);
}

function isWithheldLevel(level: AutonomyLevel): boolean {
  return level === "off" || level === "shadow";
}
