import { type Clock, messageOf } from "agent-tty/kit";

/** A task that a fleet worker repeats: the poll, the tidying of the home. */
export interface Repeated {
  /** For messages, e.g. `poll the repositories`. */
  name: string;
  /** Between the end of one turn and the next, in milliseconds. */
  everyMs: number;
  run: (signal: AbortSignal) => Promise<void>;
}

/** Repeats the task, at once first, until `stop` aborts. A turn that fails is reported, and the next one tries again. */
export async function repeat(
  { name, everyMs, run }: Repeated,
  { clock, onFailure }: { clock: Clock; onFailure: (message: string) => void },
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    await run(stop).catch((error: unknown) => {
      if (!stop.aborted) onFailure(`${name}: ${messageOf(error)}`);
    });
    await clock.sleep(everyMs, stop).catch(() => undefined);
  }
}
