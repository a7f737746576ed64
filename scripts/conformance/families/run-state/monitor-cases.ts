import { z } from "zod";
import {
  advanceMonitor,
  MONITOR_TIMES,
  type MonitorFact,
  newMonitor,
  type Posture,
  postureOf,
} from "../../../../src/runs/index.ts";
import { ansiScreen } from "../../../../test/support/tui-recordings/index.ts";
import { type CaseReport, compare } from "../../case-report.ts";
import { openTracker } from "../../tracking/open-tracker.ts";

export const monitorCaseSchema = z.union([
  z.strictObject({
    id: z.string(),
    polls: z.array(z.string()),
    running: z.array(z.string()),
    completed: z.array(z.string()),
  }),
  z.strictObject({ id: z.string(), poll: z.string(), completed: z.boolean() }),
]);
type MonitorCase = z.infer<typeof monitorCaseSchema>;

export function checkMonitor(one: MonitorCase): CaseReport {
  const { id } = one;
  if ("polls" in one) {
    const { running, completed } = one;
    const facts = factsOf(one.polls, () => "unknown");
    const seen = { running: textsOf(facts, "running-delta"), completed: textsOf(facts, "idle-after-output") };
    return compare(id, { running, completed }, seen);
  }
  const facts = factsOf([one.poll, one.poll, one.poll], trackedPosture);
  return compare(id, one.completed, textsOf(facts, "idle-after-output").length > 0);
}

/**
 * Returns the monitor's facts for these texts; they are half an idle timeout apart, so the same text three times lasts for the
 * idle timeout.
 */
function factsOf(texts: readonly string[], posture: (text: string) => Posture): MonitorFact[] {
  const stepMs = MONITOR_TIMES.idleTimeoutMs / 2;
  let state = newMonitor(0);
  return texts.flatMap((text, index) => {
    const look = { text, posture: posture(text), atMs: index * stepMs };
    const advanced = advanceMonitor(state, look);
    state = advanced.state;
    return advanced.facts;
  });
}

function textsOf(facts: readonly MonitorFact[], type: MonitorFact["type"]): string[] {
  return facts.flatMap((fact) => (fact.type === type && "text" in fact ? [fact.text] : []));
}

/** Returns the tracker's verdict on the screen. */
function trackedPosture(text: string): Posture {
  return postureOf(
    openTracker("codex", null).apply({ type: "screen", screen: ansiScreen(text), atMs: 0 }),
    0,
  );
}
