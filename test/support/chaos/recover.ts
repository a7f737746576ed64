import type { ChaosStage } from "./chaos-stage.ts";
import { type Expectation, expectations } from "./expectations.ts";
import { startParent, type ParentEnd } from "./parents.ts";
import { readNotes } from "./read-notes.ts";
import type { Schedule } from "./schedule.ts";
import type { Timeline } from "./timeline.ts";

/** A person would not try more often. */
const MAX_ROUNDS = 3;
/** Recovery must not be stopped, so this is the limit for a hung program. */
const PATIENCE_MS = 240_000;

/** Runs undisturbed batches, one in every home per round, until there is nothing left to do. */
export async function recover(
  stage: ChaosStage,
  schedule: Schedule,
  timeline: Timeline,
): Promise<{ rounds: number; ends: ParentEnd[] }> {
  await stage.calm();
  await stage.writeToken();
  const homes = [...new Set(schedule.parents.map(({ home }) => home))];
  const ends: ParentEnd[] = [];
  if (schedule.reapFirst) {
    const { exitCode, stdout } = await stage.start(0, ["reap"]);
    timeline.note("reap", `exit code ${exitCode}: ${stdout.slice(0, 700)}`);
  }
  let rounds = 0;
  do {
    rounds += 1;
    for (const home of homes) {
      const parent = startParent(stage, {
        label: `round ${rounds}`,
        home,
        parallelism: 3,
        timeline,
        onEvent: () => undefined,
        patienceMs: PATIENCE_MS,
        onPatienceEnd: () => undefined,
      });
      ends.push(await parent.ended);
    }
  } while (rounds < MAX_ROUNDS && !(await isDone(stage, schedule)));
  return { rounds, ends };
}

async function isDone(stage: ChaosStage, schedule: Schedule): Promise<boolean> {
  if (stage.left().length > 0) return false;
  for (const [index, { agent }] of schedule.issues.entries()) {
    const expected: Expectation = expectations[agent];
    if (expected.type === "nothing") continue;
    const { notes, labels } = await readNotes(stage.github, index + 1);
    if (notes.length === 0 || !labels.includes(expected.state)) return false;
  }
  return true;
}
