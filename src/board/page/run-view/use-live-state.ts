import { useEffect, useState } from "preact/hooks";
import type { TrackedStateDocument } from "../../api/index.ts";
import { failureOf } from "../data/index.ts";
import type { BoardModel } from "../model/index.ts";

export interface ShownState {
  state: TrackedStateDocument | null;
  /** The reason why there is no state. */
  reason: string;
}

/** The interval of polling, in milliseconds: half of the settle time, so that every verdict is seen soon. */
const POLL_MS = 1_000;

/** Returns the tracked state, which is polled while it is displayed (H1). */
export function useLiveState(model: BoardModel, id: string, isWanted: boolean): ShownState {
  const [shown, setShown] = useState<ShownState>({ state: null, reason: "reading …" });
  useEffect(() => {
    if (!isWanted) return undefined;
    const stop = new AbortController();
    let cancel = (): void => undefined;
    const poll = async (): Promise<void> => {
      if (!document.hidden) setShown(await read(model, id, stop.signal));
      if (!stop.signal.aborted) cancel = model.clock.schedule(POLL_MS, () => void poll());
    };
    void poll();
    return () => {
      stop.abort();
      cancel();
    };
  }, [id, isWanted]);
  return shown;
}

async function read({ data }: BoardModel, id: string, signal: AbortSignal): Promise<ShownState> {
  try {
    const found = await data.state(id, signal);
    return found.type === "tracked"
      ? { state: found.state, reason: "" }
      : { state: null, reason: found.reason };
  } catch (error) {
    return { state: null, reason: failureOf(error).message };
  }
}
