import type { RunOwner, RunService, RunUpdate } from "../owner/index.ts";
import type { ControlCall, ControlMethod, ControlReply } from "./control-calls.ts";

export interface ControlPorts {
  service: RunService;
  runId: string;
  /** This parent's `hostname/pid/startTime`. */
  parent: string;
}

/** Resolves when the update is sent or dropped. A slow reader receives only the latest update. */
export type TellUpdate = (update: RunUpdate) => Promise<void>;

/** Returns the reply of the run's owner to a call, or `no-active-run` (O20). */
export async function answerControl(
  call: ControlCall,
  { service, runId, parent }: ControlPorts,
  client: { tell: TellUpdate; signal: AbortSignal },
): Promise<ControlReply<ControlMethod>> {
  if (call.method === "ping") return { type: "alive", runId, parent };
  const owner = service.find(`${call.repo}#${call.number}`);
  if (owner === null) return { type: "no-active-run" };
  switch (call.method) {
    // The reply does not wait for the teardown; observers see it.
    case "stop":
      return beginning(owner.stop());
    case "kill":
      return beginning(owner.kill());
    case "send":
      return owner.send(call.text, client.signal);
    case "answer":
      return owner.answer(call, client.signal);
    case "observe":
      return observed(owner, call.mode, client);
    default:
      return call satisfies never;
  }
}

function beginning(ending: Promise<unknown>): { type: "stopping" } {
  ending.catch(() => undefined);
  return { type: "stopping" };
}

/** Sends updates until the run ends or the client disconnects. Neither event affects the run. */
async function observed(
  owner: RunOwner,
  mode: (ControlCall & { method: "observe" })["mode"],
  { tell, signal }: { tell: TellUpdate; signal: AbortSignal },
): Promise<{ type: "ended" | "no-active-run" }> {
  let leave = (): void => undefined;
  const over = new Promise<void>((resolve) => (leave = resolve));
  const slot = owner.observe(
    {
      deliver: async (update) => {
        await tell(update);
        if (update.type === "ended") leave();
        return "delivered";
      },
    },
    mode,
  );
  if (slot === null) return { type: "no-active-run" };
  signal.addEventListener("abort", leave, { once: true });
  await over;
  signal.removeEventListener("abort", leave);
  slot[Symbol.dispose]();
  return { type: "ended" };
}
