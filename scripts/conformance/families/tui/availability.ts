import { z } from "zod";
import {
  type AvailabilityFacts,
  availabilityOf,
  createTracker,
  type TuiScreen,
  type TuiSignals,
} from "../../../../src/tui/index.ts";
import { type CaseReport, compare } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { runtimeFacts } from "../../tracking/observed-fields.ts";
import { scriptedProfile } from "./scripted-profile.ts";

const transport = z
  .enum(["tmux_up", "tmux_missing", "probe_error"])
  .transform((name): AvailabilityFacts["transport"] => {
    if (name === "tmux_up") return "up";
    return name === "tmux_missing" ? "missing" : name;
  });
const process = z
  .enum(["tui_up", "tui_down", "unsupported_tool", "probe_error", "unknown"])
  .transform((name): AvailabilityFacts["process"] => {
    if (name === "tui_up") return "up";
    return name === "tui_down" ? "down" : name;
  });
const parse = z.enum([
  "parsed",
  "skipped_tui_down",
  "unsupported_tool",
  "transport_unavailable",
  "probe_error",
  "parse_error",
]);
const row = z.tuple([transport, process, parse, z.boolean(), z.boolean(), z.boolean(), z.string()]);
const flags = z.boolean();
const runtimeRow = z.tuple([flags, flags, flags, flags, flags, flags, flags, z.string()]);
const schema = z.object({
  columns: z.array(z.string()).length(7),
  rows: z.array(row),
  runtime_only: z.object({ columns: z.array(z.string()).length(8), rows: z.array(runtimeRow) }).optional(),
});

/** Cases of the whole truth table of diagnostics.availability. */
export const tuiAvailability = recognisedFamily(
  /^houmao_diagnostics_availability\.json$/,
  schema,
  (content) => [...content.rows.map(checkRow), ...(content.runtime_only?.rows ?? []).map(checkRuntime)],
);

function checkRow([
  transportState,
  processState,
  parsed,
  hasProbeError,
  hasParseError,
  hasSurface,
  expected,
]: z.infer<typeof row>): CaseReport {
  const facts: AvailabilityFacts = {
    transport: transportState,
    process: processState,
    parse: parsed,
    hasProbeError,
    hasParseError,
    hasSurface,
  };
  return compare(`availability of ${JSON.stringify(facts)}`, expected, availabilityOf(facts));
}

/** Checks how a tracker interprets a liveness probe when the screen could be read. */
function checkRuntime([session, pane, isDead, isShellAlive, isKnown, isAlive, wasSeen, expected]: z.infer<
  typeof runtimeRow
>): CaseReport {
  const runtime = {
    session_exists: session,
    pane_exists: pane,
    pane_dead: isDead,
    pane_pid_alive: isShellAlive,
    supported_process_alive: isAlive,
  };
  const tracker = createTracker({
    profile: scriptedProfile(() => COMPOSER),
    observedVersion: null,
    profileExtrapolated: false,
  });
  tracker.apply({ type: "screen", screen: BLANK, atMs: 0 });
  const state = tracker.apply({
    type: "probed",
    runtime: runtimeFacts(runtime, isKnown || wasSeen),
    atMs: 1,
  });
  return compare(
    `availability of ${JSON.stringify({ ...runtime, isKnown, wasSeen })}`,
    expected,
    state.diagnostics.availability,
  );
}

const BLANK: TuiScreen = {
  cols: 1,
  rows: 1,
  lines: [""],
  cellsOf: () => [],
  cursor: null,
  title: "",
  programReport: null,
};
const COMPOSER: TuiSignals = {
  surface: { type: "composer" },
  acceptingInput: "yes",
  editingInput: "no",
  readyPosture: "yes",
  pendingInput: "no",
  activeReasons: [],
  ending: null,
  currentError: null,
  evidence: [],
};
