import { z } from "zod";
import {
  type AgentHandleFacts,
  agentHandleState,
  type AgentHandleState,
  SILENCE_DEFAULTS,
  type SilenceTimings,
} from "../../../../src/tui/index.ts";
import { type CaseReport, compare, notExpressible } from "../../case-report.ts";
import { recognisedFamily } from "../../family.ts";
import { checkProcess, processSchema } from "./agent-handle-process.ts";
import { stateName } from "./handle-state-name.ts";

const machineSchema = z.object({
  id: z.string(),
  /** A time in milliseconds and the event at that time: output, tick, exit:CODE or restart. */
  steps: z.array(z.tuple([z.number(), z.string()])),
  expect: z.string(),
});
const schema = z.object({
  defaults_ms: z.object({ needs_input: z.number(), stale: z.number() }),
  machine: z.array(machineSchema),
  process: z.array(processSchema),
});
type MachineCase = z.infer<typeof machineSchema>;

/** The settings for the cases of the pure state machine. */
const TIMINGS: SilenceTimings = { needsInputAfterMs: 100, staleAfterMs: 200 };

/** Cases of the states of a program in a terminal: of the pure state machine, and of real processes on real PTYs. */
export const agentHandle = recognisedFamily(
  /^lite_edit_agent_state_cases\.json$/,
  schema,
  async (content) => {
    const { defaults_ms: defaults } = content;
    const reports: CaseReport[] = [
      compare(
        "defaults",
        { needsInputAfterMs: defaults.needs_input, staleAfterMs: defaults.stale },
        SILENCE_DEFAULTS,
      ),
      ...content.machine.map(checkMachine),
    ];
    for (const one of content.process) reports.push(await checkProcess(one));
    return reports;
  },
);

function checkMachine({ id, steps, expect }: MachineCase): CaseReport {
  let facts: AgentHandleFacts = { startedAtMs: 0, lastOutputAtMs: null, exitCode: null };
  for (const [atMs, what] of steps) {
    const next = stepOf(facts, what, atMs);
    if (next === null) return notExpressible(id, `unknown step ${JSON.stringify(what)}`);
    facts = next;
  }
  const state: AgentHandleState = agentHandleState(facts, steps.at(-1)?.[0] ?? 0, TIMINGS);
  return compare(id, expect, stateName(state));
}

/** Returns null for an unknown step. The first exit is final until a restart, which begins with new facts. */
function stepOf(facts: AgentHandleFacts, what: string, atMs: number): AgentHandleFacts | null {
  if (what === "tick") return facts;
  if (what === "restart") return { startedAtMs: atMs, lastOutputAtMs: null, exitCode: null };
  const code = /^exit:(\d+)$/.exec(what)?.[1];
  if (code === undefined && what !== "output") return null;
  if (facts.exitCode !== null) return facts;
  return code === undefined ? { ...facts, lastOutputAtMs: atMs } : { ...facts, exitCode: Number(code) };
}
