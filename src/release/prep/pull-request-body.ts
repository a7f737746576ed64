import { textAsCode, textAsLine } from "../../github/index.ts";
import type { CommandEvidence } from "../evidence/index.ts";
import type { AppliedPrep } from "./apply-prep.ts";
import type { PrepPlan } from "./plan-prep.ts";

/** The limit of a body; GitHub refuses longer ones. */
const MAX_CHARACTERS = 60_000;

/** Returns the text for the reviewer of the release branch: why this version, its changes, and how it was verified. */
export function pullRequestBody(
  plan: PrepPlan,
  { commit, evidence, isEvidenceReused }: Pick<AppliedPrep, "commit" | "evidence" | "isEvidenceReused">,
): string {
  const { version, previousVersion, base } = plan;
  const failed = evidence.commands.filter(({ exitCode }) => exitCode !== 0);
  const text = [
    `Release v${version}${previousVersion === null ? "" : `, after v${previousVersion}`}, from ${base.branch} at ${base.commit}.`,
    "",
    "## Why this version",
    "",
    ...plan.reasons.map((reason) => `- ${textAsLine(reason)}`),
    "",
    "## Verification",
    "",
    `Commit ${commit}: **${evidence.status}**${isEvidenceReused ? " (by an earlier prep of the same commit)" : ""}, ${evidence.startedAt}.`,
    "",
    "| Command | Exit code | Duration |",
    "| --- | --- | --- |",
    ...evidence.commands.map(row),
    "",
    evidence.recording === null
      ? "No recording could be kept."
      : `Recording: \`${evidence.recording}\` (Session ${evidence.sessionId}).`,
    ...failed.flatMap(({ command, output }) => [
      "",
      `Output of ${cell(command)}:`,
      "",
      textAsCode(output, "text"),
    ]),
    "",
    "## Changelog",
    "",
    plan.section,
    "",
    "## Commits",
    "",
    plan.commitList,
    "",
  ].join("\n");
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}\n\n… (cut)\n`;
}

function row({ command, exitCode, end, durationMs }: CommandEvidence): string {
  return `| ${cell(command)} | ${exitCode ?? end} | ${(durationMs / 1_000).toFixed(1)} s |`;
}

function cell(command: string): string {
  const line = command.replaceAll(/\s+/g, " ").replaceAll("|", String.raw`\|`);
  return `\`${line.replaceAll("`", "'")}\``;
}
