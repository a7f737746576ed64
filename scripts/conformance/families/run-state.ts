import { z } from "zod";
import { parseDuration } from "../../../src/cli/config/index.ts";
import {
  admission,
  selectedTriageRun,
  transition,
  type TriageRunEvent,
  type TriageRunFacts,
} from "../../../src/runs/index.ts";
import { type CaseReport, compare, notCovered, notCoveredSections } from "../case-report.ts";
import { family } from "../family.ts";

const schema = z.looseObject({
  run_state: z.array(
    z.looseObject({
      id: z.string(),
      steps: z.array(z.string()),
      states: z.array(z.string()).optional(),
      expect: z.string().optional(),
    }),
  ),
  duration_parse: z.array(z.tuple([z.string(), z.number().nullable()])),
});
type RunStateCase = z.infer<typeof schema>["run_state"][number];

const NOW_MS = Date.UTC(2026, 0, 1);
const LATER = "the runner, its observers, the monitor and their surfaces are not built yet";
const SECOND_PROMPT = "second prompt";

/** What the steps are as events of the Run State. Steps that the runner or an observer must judge first are not here. */
const EVENTS: Readonly<Record<string, TriageRunEvent>> = {
  "prompt admitted": { type: "prompt-admitted", atMs: NOW_MS },
  "running delta": { type: "report-observed", atMs: NOW_MS },
  "idle-after-output": { type: "report-observed", atMs: NOW_MS },
  "message-tool final": { type: "report-observed", atMs: NOW_MS },
  "max-runtime reached": { type: "observation-window-ended", atMs: NOW_MS },
  "owner settles": { type: "prompt-settled", evidence: "turn-outcome" },
  "true completion": { type: "prompt-settled", evidence: "turn-outcome" },
  settlement: { type: "prompt-settled", evidence: "turn-outcome" },
  running: { type: "prompt-admitted", atMs: NOW_MS },
  "/stop": { type: "prompt-settled", evidence: "stop" },
};

export const runState = family(/^clisbot_run_state_cases\.json$/, schema, (content) => [
  ...content.run_state.flatMap(checkRun),
  ...content.duration_parse.map(([text, durationMs]) =>
    compare(`duration ${JSON.stringify(text)}`, durationMs, parseDuration(text)),
  ),
  ...notCoveredSections(content, ["run_state", "duration_parse"], LATER),
]);

function checkRun(one: RunStateCase): CaseReport[] {
  const isKnown = one.steps.every((step) => step === SECOND_PROMPT || Object.hasOwn(EVENTS, step));
  if (!isKnown) return [notCovered(one.id, LATER)];
  const { id, steps, states: expected, expect, note: _note, mode: _mode, ...surfaces } = one;
  const states = statesAfter(steps);
  return [
    ...(expected === undefined ? [] : [compare(id, expected, states)]),
    ...(expect === undefined ? [] : [compare(id, expect, guidance(states))]),
    ...Object.keys(surfaces).map((surface) => notCovered(`${id}: ${surface}`, LATER)),
  ];
}

/** The Run State after each step; a prompt that is not admitted is no event, and said so. */
function statesAfter(steps: readonly string[]): string[] {
  let facts: TriageRunFacts = selectedTriageRun({
    runId: "20260101T000000Z",
    repo: "octo/widgets",
    number: 1,
    atMs: NOW_MS,
  });
  return steps.map((step) => {
    const event = EVENTS[step];
    if (event !== undefined) facts = transition(facts, event);
    const isRejected = step === SECOND_PROMPT && admission(facts.runState).type === "closed";
    return `${facts.runState.state}${isRejected ? " (rejected)" : ""}`;
  });
}

/** The refusal names the state of the active run, which is what the guidance is made of. */
function guidance(states: readonly string[]): string {
  const last = states.at(-1) ?? "";
  return /^(running|detached) \(rejected\)$/.test(last) ? "rejected with active-run guidance" : last;
}
