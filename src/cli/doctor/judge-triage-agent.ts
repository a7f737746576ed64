import { type DoctorCheck, failed, ok, skip, warn } from "./doctor-check.ts";

export type TriageAgentFacts =
  /** `problem` is what the Triage Agent's own preflight says; null when it can start. */
  { place: "local"; name: string; problem: string | null } | { place: "coder"; name: string };

export function judgeTriageAgent(facts: TriageAgentFacts): DoctorCheck {
  if (facts.place === "coder")
    return skip(
      "triage-agent",
      `${facts.name}: only the Coder workspace can tell. It comes with the template, and each Triage Run looks before it starts`,
    );
  if (facts.problem === null) return ok("triage-agent", `${facts.name} can start here`);
  return failed(
    "triage-agent",
    `with --provider local: ${facts.problem}`,
    "Install it and put it on the PATH (Claude Code: npm install --global @anthropic-ai/claude-code).",
  );
}

export function judgeTemplate(template: string, warnings: readonly string[]): DoctorCheck {
  if (warnings.length === 0) return ok("coder-template", `${template}: its parameters fit`);
  return warn(
    "coder-template",
    warnings.join(" "),
    "Push the template that ships with afk-triage, or copy its parameters: see docs/coder.md.",
  );
}

export function judgeLocalProvider({ warnings }: { warnings: readonly string[] }): DoctorCheck {
  if (warnings.length === 0)
    return ok("local-provider", "each issue gets a private directory of this machine");
  return warn(
    "local-provider",
    warnings.join(" "),
    "Triage only repositories you trust, or use --provider coder.",
  );
}
