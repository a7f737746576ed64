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
  /** Here, or in the last Coder workspace that a run of this home had; null when nothing told it. */
  version: string | null;
}

/**
 * Whether the Triage Agent can start, and whether its TUI's version is tested. In a Coder workspace this is skipped,
 * because only a run can tell.
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
        `${name}: only the Coder workspace can tell. It comes with the template, and each Triage Run looks before it starts${told}`,
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
    `with --provider local: ${problem}`,
    "Install it and put it on the PATH (Claude Code: npm install --global @anthropic-ai/claude-code).",
  );
}

/** One warning with everything that the Coder template lacks. */
export function judgeTemplate(template: string, warnings: readonly string[]): DoctorCheck {
  if (warnings.length === 0) return ok("coder-template", `${template}: its parameters fit`);
  return warn(
    "coder-template",
    warnings.join(" "),
    "Push the template that ships with afk-triage, or copy its parameters: see docs/coder.md.",
  );
}

/** One warning with everything that isolates local Triage Agents less than a Coder workspace does. */
export function judgeLocalProvider({ warnings }: { warnings: readonly string[] }): DoctorCheck {
  if (warnings.length === 0)
    return ok("local-provider", "each issue gets a private directory of this machine");
  return warn(
    "local-provider",
    warnings.join(" "),
    "Triage only repositories you trust, or use --provider coder.",
  );
}
