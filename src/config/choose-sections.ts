import { OperationalError } from "agent-tty/kit";
import { type BatchSettings, defaultLabelNames, type LabelNames } from "../triage/index.ts";
import type { AutonomySetting, OutcomeKind } from "../trust/index.ts";
import { writeByteSize, writeDuration } from "../notation/index.ts";
import type { ConfigErrorCode } from "./config-error.ts";
import type { Choosing } from "./chosen-setting.ts";
import type { Config } from "./config-schema.ts";
import type { RunEnvironment } from "./environment.ts";
import type { CoderSettings, ProgramSettings, RunFlags, TriageAgentSettings } from "./program-settings.ts";

type Choose = Choosing["choose"];
const MINUTE_MS = 60_000;

export function chooseTriageAgent(
  wished: NonNullable<Config["triageAgent"]>,
  choose: Choose,
): TriageAgentSettings {
  const kind = choose("triageAgent.kind", { file: wished.kind }, "claude-code");
  const mode = choose("triageAgent.mode", { file: wished.mode }, "print");
  const model = choose<string | null>("triageAgent.model", { file: wished.model }, null);
  const [program, ...rest] = choose<string[]>("triageAgent.command", { file: wished.command }, []);
  const env = choose("triageAgent.env", { file: wished.env }, {}, namesOnly);
  if (kind === "claude-code") return { kind, mode, model, env };
  if (program !== undefined) return { kind, command: [program, ...rest], env };
  throw new OperationalError<ConfigErrorCode>({
    code: "CONFIG_INVALID",
    message: "resolve the Triage Agent: triageAgent.kind is command, but triageAgent.command is missing",
    remedy: "Set triageAgent.command to the program and its arguments, e.g. [node, agent.mjs].",
  });
}

/** A variable's value may be a credential. */
function namesOnly(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.keys(environment).map((name) => [name, "(set)"]));
}

export function chooseCoder(
  environment: RunEnvironment,
  wished: NonNullable<Config["coder"]>,
  choose: Choose,
): CoderSettings {
  const url = { variable: ["CODER_URL", environment.coderUrl], file: wished.url } as const;
  return {
    url: choose<string | null>("coder.url", url, null),
    template: choose("coder.template", { file: wished.template }, "triage"),
    preset: choose<string | null>("coder.preset", { file: wished.preset }, "none"),
    parameters: choose("coder.parameters", { file: wished.parameters }, {}),
    organization: choose<string | null>("coder.organization", { file: wished.organization }, null),
    multiplexer: choose("coder.multiplexer", { file: wished.multiplexer }, "auto"),
  };
}

export function chooseLabels(wished: NonNullable<Config["labels"]>, choose: Choose): LabelNames {
  const roles = Object.keys(defaultLabelNames) as (keyof LabelNames)[];
  const named = roles.map((role) => [
    role,
    choose(`labels.${role}`, { file: wished[role] }, defaultLabelNames[role]),
  ]);
  return Object.fromEntries(named) as LabelNames;
}

export function chooseCheckout(
  wished: NonNullable<Config["checkout"]>,
  choose: Choose,
): BatchSettings["checkout"] {
  return {
    url: choose<string | null>("checkout.url", { file: wished.url }, null),
    ref: choose<string | null>("checkout.ref", { file: wished.ref }, null),
    strategy: choose("checkout.strategy", { file: wished.strategy }, "clone"),
    setup: choose<string[]>("checkout.setup", { file: wished.setup }, []),
  };
}

export function chooseReproduction(
  flags: RunFlags,
  wished: NonNullable<Config["reproduction"]>,
  choose: Choose,
): BatchSettings["reproduction"] {
  const range = { flag: ["--bisect", flags.rangeMs], file: wished.range } as const;
  const writeOptional = (ms: number | null): string | null => (ms === null ? null : writeDuration(ms));
  return {
    place: choose("reproduction.place", { file: wished.place }, "fresh"),
    runs: choose("reproduction.runs", { file: wished.runs }, 3),
    timeoutMs: choose("reproduction.timeout", { file: wished.timeout }, 5 * MINUTE_MS, writeDuration),
    rangeMs: choose<number | null>("reproduction.range", range, 5 * MINUTE_MS, writeOptional),
  };
}

export function chooseDuplicates(
  wished: NonNullable<Config["duplicates"]>,
  choose: Choose,
): BatchSettings["duplicates"] {
  return {
    candidates: choose("duplicates.candidates", { file: wished.candidates }, 5),
    requests: choose("duplicates.requests", { file: wished.requests }, 20),
    proofs: choose("duplicates.proofs", { file: wished.proofs }, 2),
    proofMs: choose("duplicates.proofTime", { file: wished.proofTime }, 5 * MINUTE_MS, writeDuration),
    close: choose("duplicates.close", { file: wished.close }, false),
  };
}

export function chooseAutonomy(
  wished: NonNullable<Config["autonomy"]>,
  choose: Choose,
): BatchSettings["autonomy"] {
  const of = (kind: OutcomeKind): AutonomySetting =>
    choose<AutonomySetting>(`autonomy.${kind}`, { file: wished[kind] }, "apply");
  return {
    "needs-triage": of("needs-triage"),
    "needs-info": of("needs-info"),
    "ready-for-agent": of("ready-for-agent"),
    "ready-for-human": of("ready-for-human"),
    close: of("close"),
  };
}

const DAY_MS = 24 * 60 * MINUTE_MS;

export function chooseSweep(wished: NonNullable<Config["sweep"]>, choose: Choose): ProgramSettings["sweep"] {
  return {
    closes: choose("sweep.close", { file: wished.close }, false),
    graceMs: choose("sweep.grace", { file: wished.grace }, 14 * DAY_MS, writeDuration),
    commentsPerDay: choose("sweep.commentsPerDay", { file: wished.commentsPerDay }, 20),
    recheckMs: choose("sweep.recheck", { file: wished.recheck }, 30 * DAY_MS, writeDuration),
    asksTriageAgent: choose("sweep.triageAgent", { file: wished.triageAgent }, true),
  };
}

type Limit = number | "off";

export function chooseRetention(
  wished: NonNullable<Config["retention"]>,
  choose: Choose,
): ProgramSettings["retention"] {
  const limit = (
    key: string,
    file: Limit | undefined,
    fallback: number,
    write: (value: number) => string,
  ): number | null => {
    const orOff = (value: Limit): string => (value === "off" ? value : write(value));
    const chosen = choose<Limit>(key, { file }, fallback, orOff);
    return chosen === "off" ? null : chosen;
  };
  return {
    ageMs: limit("retention.age", wished.age, 90 * 24 * 60 * MINUTE_MS, writeDuration),
    sizeBytes: limit("retention.size", wished.size, 4 * 1024 ** 3, writeByteSize),
  };
}

/** V8: artifacts of the Actions run are there without any setting, so they come first. */
export function chooseEvidenceLocation(
  { actionsRunUrl }: RunEnvironment,
  wished: NonNullable<Config["evidence"]>,
  choose: Choose,
): BatchSettings["evidenceLocation"] {
  const url = choose<string | null>("evidence.url", { file: wished.url }, null);
  if (actionsRunUrl !== null) return { type: "actions-run", url: actionsRunUrl };
  return url === null ? { type: "home" } : { type: "base", url };
}

/** The release commands read these themselves; here they are only shown. */
export function noteRelease(wished: NonNullable<Config["release"]>, choose: Choose): void {
  for (const key of ["setup", "verify", "versionFiles"] as const)
    choose<readonly string[] | null>(`release.${key}`, { file: wished[key] }, null);
}
