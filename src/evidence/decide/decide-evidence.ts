import type { Claim } from "../claim.ts";
import type { CallWithNothing } from "../controls/index.ts";
import { CONTROL_KINDS, type ControlKind, type RunRecord } from "../run-record.ts";
import type { EnvironmentCause, Verdict } from "../verdict.ts";
import { isShownAmongDeaf } from "./among-deaf.ts";
import { isNamedInIssue } from "./call-with-nothing.ts";
import { claimLines, isMatch } from "./claim-lines.ts";
import { environmentCause, machineFault, withCrash } from "./environment-cause.ts";
import { forbiddenChanges } from "./forbidden-changes.ts";
import { claimedMissing, type MissingThing } from "./missing-name.ts";
import { alikeRuns, isGoneOnOtherDay, isRenumbered } from "./other-day.ts";
import { areSatisfying, satisfyingAnswers } from "./satisfying-answers.ts";
import { isOnlyInSourceLine } from "./source-line.ts";

/** All facts from which a verdict is derived. */
export interface EvidenceFacts {
  readonly claim: Pick<Claim, "expect">;
  readonly records: readonly RunRecord[];
  /** The missing thing that the script used. `isKnown`: the product or the issue mentions it. */
  readonly missing: (MissingThing & { readonly isKnown: boolean }) | null;
  /** The last call of the script, if the product threw because its first argument was null or undefined. */
  readonly callWithNothing: CallWithNothing | null;
  /** The issue's title and body. */
  readonly issueText: string;
}

/**
 * Returns the verdict on a reproduction (V9). It depends only on the claim, the issue's text, the records of the parent's own runs
 * and the missing name. Pure and total: every list of records has a verdict, and the order of the records does not matter.
 */
export function decideEvidence(facts: EvidenceFacts): Verdict {
  const { claim, records } = facts;
  const changed = forbiddenChanges(records);
  if (changed.length > 0)
    return {
      type: "tampering",
      paths: changed,
      reason: `the script changes ${changed.slice(0, 3).join(", ")}, which no reproduction may change`,
    };
  if (records.some(({ end }) => end.type === "interrupted"))
    return environment("killed", "the script ended the shell that it ran in");
  const real = records.filter(({ kind }) => kind === "real");
  const matched = real.filter((run) => isMatch(claim, run));
  if (matched.length === 0) return notShown(real);
  if (matched.every(({ output }) => isOnlyInSourceLine(claim, output)))
    return vacuous("the claimed text is only in the line of the script that Node.js prints above an error");
  const shownIn = controlsThatShow(facts);
  if (matched.length < real.length) {
    if (shownIn.length === 0 && !isShownAmongDeaf(claim, records))
      return vacuous(
        "fewer than two of the real runs among the deaf runs show the claim, so it may depend on when the script runs",
      );
    return { type: "flaky", matched: matched.length, runs: real.length, shownIn };
  }
  if (shownIn.length > 0) return unproven(facts, matched, shownIn);
  return ofOtherVersionOrDay(facts) ?? ofOtherReason(facts, matched) ?? verified(records);
}

/**
 * Returns the verdict on a claim that disappears although the product behaves the same: under another version number or on another
 * day; null: it does not.
 */
function ofOtherVersionOrDay({ claim, records }: EvidenceFacts): Verdict | null {
  const gone = records.filter((run) => isRenumbered(run) && !isMatch(claim, run));
  if (gone.some(({ end }) => end.type === "timed-out"))
    return environment(
      "time-limit",
      "the time limit of the runs ended the script under another version number",
    );
  if (gone.length > 0)
    return vacuous(
      "the claim disappears when the same code has another source text and another version number",
    );
  const moved = records.find((run) => isGoneOnOtherDay(claim, run));
  if (moved === undefined) return null;
  return vacuous(
    `the script succeeds when the clock is set to ${moved.day}, so the claim depends on today's date`,
  );
}

/**
 * Returns the verdict on a claim that every run of the whole product shows for a reason that the issue does not mention, or that
 * no control run tested; null: it is neither.
 */
function ofOtherReason(facts: EvidenceFacts, matched: readonly RunRecord[]): Verdict | null {
  const { records, callWithNothing: call, issueText } = facts;
  if (!records.some(({ kind }) => kind === "absent" || kind === "broken" || kind === "deaf"))
    return vacuous("no control run took place, so nothing shows that the product causes the claim");
  const fault = commonFault(facts, matched);
  if (fault !== null)
    return environment(
      fault,
      `the script fails for another reason (${CAUSES[fault]}), which the issue does not mention`,
    );
  if (call !== null && !isNamedInIssue(call, issueText))
    return {
      type: "wrong-call",
      name: call.name,
      reason: `the script calls ${call.name} with the argument ${call.value}, which the issue does not mention`,
    };
  return records.some(({ kind }) => kind === "deaf") ? null : otherCause(facts, matched);
}

function verified(records: readonly RunRecord[]): Verdict {
  const missing = (["deaf", "renumbered"] as const).filter(
    (kind) => !records.some((run) => run.kind === kind),
  );
  return missing.length === 0
    ? { type: "verified" }
    : {
        type: "verified-in-part",
        missing,
        reason: `no ${missing.join(" and no ")} product could be made here, because there is no adapter for its language or the adapter could not be applied`,
      };
}

/** Returns the controls that show the claim although the product cannot have caused it. */
export function controlsThatShow({
  claim,
  records,
}: Pick<EvidenceFacts, "claim" | "records">): ControlKind[] {
  const shown = records.filter((run) => showsAsReal(run, claim, records));
  const hasDeaf = records.some(({ kind }) => kind === "deaf");
  // A claim that disappears under another manifest is about the manifest, and the broken product has the real one.
  const isOfManifest = areSatisfying("manifest", claim, records);
  const isShown: Record<ControlKind, boolean> = {
    absent: shown.some(({ kind }) => kind === "absent"),
    broken: shown.some(({ kind }) => kind === "broken") && !isOfManifest,
    deaf: hasDeaf && satisfyingAnswers(claim, records) === null,
    renumbered: false,
  };
  return CONTROL_KINDS.filter((kind) => isShown[kind]);
}

/**
 * Returns whether a control shows the claim's exit code and text, with the same lines as the real runs. Lines that differ among
 * runs of the same behaviour prove nothing; then only exit code and text decide.
 */
function showsAsReal(run: RunRecord, claim: EvidenceFacts["claim"], records: readonly RunRecord[]): boolean {
  if (run.kind !== "absent" && run.kind !== "broken") return false;
  if (!isMatch(claim, run)) return false;
  const alike = alikeRuns(records).filter((one) => isMatch(claim, one));
  const lines = new Set(alike.map(({ output }) => claimLines(claim, output)));
  return lines.size !== 1 || lines.has(claimLines(claim, run.output));
}

function notShown(real: readonly RunRecord[]): Verdict {
  if (real.length === 0) return environment("killed", "no run took place");
  if (real.some(({ end }) => end.type === "timed-out"))
    return environment("time-limit", "the time limit of the runs ended the script");
  const failed = real.filter(({ end }) => end.type !== "exited" || end.exitCode !== 0);
  const cause = commonCause(failed, ({ output }) => output);
  if (cause !== null) return environment(cause, `the script fails for another reason: ${CAUSES[cause]}`);
  return { type: "not-reproduced", reason: `none of ${real.length} runs shows the claim` };
}

/**
 * Returns the verdict on a claim that something is missing which only the script mentions; null: it is another claim. It is needed
 * if no deaf product could be made, because the runs without the product fail before they reach the missing thing. If the product
 * or the issue mentions it, its absence may be the bug itself.
 */
function otherCause({ claim, missing }: EvidenceFacts, matched: readonly RunRecord[]): Verdict | null {
  if (missing === null || missing.isKnown) return null;
  if (matched.some((run) => claimedMissing(claim, run)?.name !== missing.name)) return null;
  if (missing.kind === "call") return wrongCall(missing.name);
  const cause = missing.kind === "tool" ? "missing-tool" : "missing-module";
  return environment(
    cause,
    `the script fails for another reason (${CAUSES[cause]}): neither the product nor the issue mentions ${missing.name}`,
  );
}

/**
 * Returns the fault of the machine that the claimed lines of every run name and the issue does not; null: none. The controls may
 * not show such a fault, because it may need the product, for example its output that fills the disk.
 */
function commonFault(
  { claim, issueText, missing }: EvidenceFacts,
  matched: readonly RunRecord[],
): EnvironmentCause | null {
  if ((claim.expect?.outputContains ?? "").trim() === "") return null;
  const faults = new Set(
    matched.map(({ output }) => machineFault(withCrash(claimLines(claim, output), output), issueText)),
  );
  const [fault = null] = faults;
  // For a missing program or module, it matters whether the product or the issue mentions it.
  if (faults.size !== 1 || (fault === "missing-file" && missing !== null)) return null;
  return fault;
}

function wrongCall(name: string): Verdict {
  return {
    type: "wrong-call",
    name,
    reason: `the script uses ${name}, which neither the product nor the issue mentions`,
  };
}

function unproven(
  { claim, missing }: EvidenceFacts,
  matched: readonly RunRecord[],
  shownIn: readonly ControlKind[],
): Verdict {
  if (missing?.kind === "call" && !missing.isKnown) return wrongCall(missing.name);
  const cause = commonCause(matched, ({ output }) => claimLines(claim, output));
  if (cause !== null)
    return environment(
      cause,
      `the script fails for another reason (${CAUSES[cause]}): the claim shows ${said(shownIn)}`,
    );
  return vacuous(`the claim shows ${said(shownIn)}`, shownIn);
}

/**
 * Returns the cause if every run points to one; of several causes, the first by name, so that the order of the runs does not
 * matter. null: a run points to none.
 */
function commonCause(
  runs: readonly RunRecord[],
  textOf: (run: RunRecord) => string,
): EnvironmentCause | null {
  const causes = runs.map((run) =>
    run.end.type === "timed-out"
      ? "time-limit"
      : environmentCause(textOf(run), run.end.type === "exited" ? run.end.exitCode : null),
  );
  const known = causes.flatMap((cause) => (cause === null ? [] : [cause]));
  return known.length < causes.length ? null : (known.toSorted((a, b) => a.localeCompare(b))[0] ?? null);
}

function vacuous(reason: string, shownIn: readonly ControlKind[] = []): Verdict {
  return { type: "vacuous", shownIn, reason };
}

function environment(cause: EnvironmentCause, reason: string): Verdict {
  return { type: "environment", cause, reason };
}

const CAUSES: Readonly<Record<EnvironmentCause, string>> = {
  "missing-tool": "a program is not installed",
  "missing-module": "a module is not installed",
  "missing-file": "a file is missing",
  network: "the network cannot be reached",
  permission: "a permission is missing",
  disk: "the disk is full, or a file may not grow",
  killed: "it was killed",
  "time-limit": "a time limit ended it",
};

const WORDS: Readonly<Record<ControlKind, string>> = {
  absent: "without the product's files",
  broken: "with a product that cannot be loaded",
  deaf: "whatever the product answers",
  renumbered: "under another version number",
};

function said(shownIn: readonly ControlKind[]): string {
  return shownIn.map((kind) => WORDS[kind]).join(" and ");
}
