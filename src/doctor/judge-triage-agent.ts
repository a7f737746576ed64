import { TESTED_VERSIONS, type TestedTool, type VersionStanding, versionStanding } from "../tui/index.ts";
import { type DoctorCheck, failed, ok, skip, warn } from "./doctor-check.ts";

export type TriageAgentFacts = { name: string; tui: TuiVersionFacts | null } & (
  | {
      place: "local";
      /** The problem that the Triage Agent's own preflight reports; null when it can start. */
      problem: string | null;
    }
  | { place: "coder" }
);

/** Set for a Triage Agent that works through a coding TUI. */
export interface TuiVersionFacts {
  tool: TestedTool;
  /** The version here, or in the last Coder workspace that a run of this home had; null if it is unknown. */
  version: string | null;
}

/**
 * Returns whether the Triage Agent can start, and whether its TUI's version is tested, as a check. For a Triage Agent in a Coder
 * workspace the check is skipped, because only a run can test it.
 */
export function judgeTriageAgent(facts: TriageAgentFacts): DoctorCheck {
  const { name, tui } = facts;
  if (facts.place === "local" && facts.problem !== null) return cannotStart(facts.problem);
  const told = tui === null ? "" : `. ${versionText(tui, facts.place)}`;
  if (tui !== null && tui.version !== null && versionStanding(tui.tool, tui.version) === "untested")
    return warn(
      "triage-agent",
      `${name}${told}`,
      `Install ${tui.tool} ${TESTED_VERSIONS[tui.tool].at(-1)}: a version that shows a dialog without a known answer ends each Triage Run. Or set triageAgent.mode to print.`,
    );
  return facts.place === "local"
    ? ok("triage-agent", `${name} can start here${told}`)
    : skip(
        "triage-agent",
        `${name}: this can be checked only in a Coder workspace, at the start of each Triage Run${told}`,
      );
}

const STANDINGS: Readonly<Record<VersionStanding, string>> = {
  tested: "tested",
  between: "between tested versions",
  untested: "not tested",
};

function versionText({ tool, version }: TuiVersionFacts, place: TriageAgentFacts["place"]): string {
  const tested = `tested versions: ${TESTED_VERSIONS[tool].join(", ")}`;
  if (version === null) return `No version of ${tool} was seen yet; ${tested}`;
  const where = place === "coder" ? "in the last Coder workspace seen" : "on this machine";
  return `${tool} ${version} ${where}: ${STANDINGS[versionStanding(tool, version)]}; ${tested}`;
}

function cannotStart(problem: string): DoctorCheck {
  return failed(
    "triage-agent",
    `with --provider local the Triage Agent cannot start: ${problem}`,
    "Install it and put it on the PATH (Claude Code: npm install --global @anthropic-ai/claude-code).",
  );
}

/** Returns one warning that lists everything the Coder template lacks. */
export function judgeTemplate(template: string, warnings: readonly string[]): DoctorCheck {
  if (warnings.length === 0) return ok("coder-template", `${template}: its parameters fit`);
  return warn(
    "coder-template",
    warnings.join(" "),
    "Push the template that ships with afk-triage, or copy its parameters: see docs/coder.md.",
  );
}

/** Returns one warning that lists every point in which local Triage Agents are less isolated than in a Coder workspace. */
export function judgeLocalProvider({ warnings }: { warnings: readonly string[] }): DoctorCheck {
  if (warnings.length === 0)
    return ok("local-provider", "each issue gets a private directory of this machine");
  return warn(
    "local-provider",
    warnings.join(" "),
    "Triage only repositories you trust, or use --provider coder.",
  );
}
