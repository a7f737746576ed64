import type { Availability, RuntimeFacts } from "../tracked-state.ts";

/** The facts that decide whether the screen can be believed. */
export interface AvailabilityFacts {
  transport: "up" | "missing" | "probe_error";
  process: "up" | "down" | "unsupported_tool" | "probe_error" | "unknown";
  parse:
    | "parsed"
    | "skipped_tui_down"
    | "unsupported_tool"
    | "transport_unavailable"
    | "probe_error"
    | "parse_error";
  hasProbeError: boolean;
  hasParseError: boolean;
  hasSurface: boolean;
}

/** Returns the availability, by the first of its definitions that matches (H12–H16). */
export function availabilityOf(facts: AvailabilityFacts): Availability {
  const { transport, process, parse } = facts;
  if (isError(facts)) return "error";
  if (transport === "missing") return "unavailable";
  if (process === "down") return "tui_down";
  if (process === "unsupported_tool" || parse === "unsupported_tool") return "unknown";
  return parse === "parsed" && facts.hasSurface ? "available" : "unknown";
}

function isError({ transport, process, parse, hasProbeError, hasParseError }: AvailabilityFacts): boolean {
  return (
    hasProbeError ||
    hasParseError ||
    transport === "probe_error" ||
    process === "probe_error" ||
    parse === "probe_error" ||
    parse === "parse_error"
  );
}

/** The transitions of the availability that are allowed (H17). */
const NEXT: Record<Availability, readonly Availability[]> = {
  unknown: ["available", "tui_down", "unavailable", "error"],
  available: ["tui_down", "unavailable", "error"],
  tui_down: ["available", "unavailable"],
  unavailable: ["unknown"],
  error: ["available", "unknown"],
};

assertTransitions();

/** Throws when NEXT breaks a law: no state leads to itself, and every state can be reached from every other. */
function assertTransitions(): void {
  const states = Object.keys(NEXT) as Availability[];
  for (const from of states) {
    if (NEXT[from].includes(from)) throw new Error(`availability: ${from} leads to itself`);
    const reached = new Set<Availability>([from]);
    for (const state of reached) for (const next of NEXT[state]) reached.add(next);
    const missing = states.filter((state) => !reached.has(state));
    if (missing.length > 0) throw new Error(`availability: ${from} never leads to ${missing.join(", ")}`);
  }
}

/**
 * Returns the availability to publish, along the table of allowed transitions (H17). A transition that is not allowed goes
 * through `unknown` where possible, so that nothing acts on a terminal that was gone a moment ago. Otherwise the old value stays
 * until a probe allows the change.
 */
export function nextAvailability(now: Availability, wanted: Availability): Availability {
  if (now === wanted || NEXT[now].includes(wanted)) return wanted;
  return NEXT[now].includes("unknown") ? "unknown" : now;
}

export interface ParseOutcome {
  isUnsupported: boolean;
  hasSurface: boolean;
  parseError: string | null;
  hasDeparted: boolean;
}

/** Returns the facts from the probes and the last screen. A probe that could not be made changes nothing (O13). */
export function availabilityFacts(runtime: RuntimeFacts, parse: ParseOutcome): AvailabilityFacts {
  return {
    transport: runtime.terminal === "gone" ? "missing" : "up",
    process: processOf(runtime, parse),
    parse: parse.parseError === null ? "parsed" : "parse_error",
    hasProbeError: runtime.probeError !== null,
    hasParseError: parse.parseError !== null,
    hasSurface: parse.hasSurface,
  };
}

function processOf(runtime: RuntimeFacts, parse: ParseOutcome): AvailabilityFacts["process"] {
  if (runtime.process === "gone") return "down";
  if (parse.isUnsupported) return "unsupported_tool";
  if (runtime.process === "alive") return "up";
  return parse.hasDeparted ? "down" : "unknown";
}
