import { type AuditEntry, isGraded } from "../triage/index.ts";
import type { CheckEvidence, RunEvidence } from "./run-evidence.ts";

/** Returns lines for people. Titles and labels are untrusted: the caller has to make the lines inert. */
export function describeEvidence({ directory, files, audit, reproduction }: RunEvidence): string[] {
  return [
    files.length === 0 ? `evidence: none in ${directory}` : "evidence:",
    ...files.map(({ kind, path }) => `  ${kind}: ${path}`),
    ...(audit.problem === null ? [] : [`audit log: ${audit.problem}`]),
    ...(audit.entries.length === 0 ? [] : [`written to GitHub (${audit.path}):`]),
    ...audit.entries.flatMap(describeEntry),
    ...(reproduction === null ? [] : [`stored reproduction: ${reproduction.path}`]),
    ...(reproduction?.checks ?? []).map(describeCheck),
  ];
}

function describeEntry(entry: AuditEntry): string[] {
  return entry.fact.type === "intended" ? [] : [`  ${entry.at}  ${describeFact(entry)}`];
}

/** Describes a decision, or a write to GitHub that was completed or announced. */
export function describeFact({ action, fact }: Pick<AuditEntry, "action" | "fact">): string {
  if (fact.type === "decided") {
    const policy = fact.policy.length === 0 ? "" : ` (${fact.policy.join(", ")})`;
    return `decided ${fact.outcome}${policy}`;
  }
  if (fact.type === "autonomy-moved")
    return `autonomy of ${fact.kind}: ${fact.from} to ${fact.to} (${fact.why})`;
  const { write } = fact;
  const label = "label" in write ? ` ${write.label}` : "";
  return `${action === "undo" ? "undo: " : ""}${write.type}${label}`;
}

function describeCheck(check: CheckEvidence): string {
  const { at, verdict, matchedRuns, runs, commit, evidence, recording } = check;
  const place = commit === null ? "" : ` at ${commit.slice(0, 12)}`;
  const grade = isGraded(check) ? `evidence ${evidence}` : "ungraded";
  return `  ${at}  ${verdict} (${matchedRuns}/${runs})${place}, ${grade}${recording === null ? "" : `  ${recording}`}`;
}
