import { type Clock, messageOf } from "agent-tty/kit";

/** A task that a fleet worker repeats: the poll, the tidying of the home. */
export interface Repeated {
  /** For messages, e.g. `poll the repositories`. */
  name: string;
  /** The pause between the end of one run and the start of the next, in milliseconds. */
  everyMs: number;
  run: (signal: AbortSignal) => Promise<void>;
}

/** Runs the task at once, then repeats it until `stop` aborts. A failed run is reported, and the next run tries again. */
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
