import type { RunOwner, RunService, RunUpdate } from "../owner/index.ts";
import type { ControlCall, ControlMethod, ControlReply } from "./control-calls.ts";

export interface ControlPorts {
  service: RunService;
  runId: string;
  /** Our own `hostname/pid/startTime`. */
  parent: string;
}

/** Resolves once the update is out of our hands: a slow reader gets the latest only. */
export type TellUpdate = (update: RunUpdate) => Promise<void>;

/** O20: commands go to the run's owner; whoever asks for a run that is not under way here is told so. */
export async function answerControl(
  call: ControlCall,
  { service, runId, parent }: ControlPorts,
  client: { tell: TellUpdate; signal: AbortSignal },
): Promise<ControlReply<ControlMethod>> {
  if (call.method === "ping") return { type: "alive", runId, parent };
  const owner = service.find(`${call.repo}#${call.number}`);
  if (owner === null) return { type: "no-active-run" };
  switch (call.method) {
    // Tearing down takes its time and is watched, not waited for.
    case "stop":
      return beginning(owner.stop());
    case "kill":
      return beginning(owner.kill());
    case "send":
      return owner.send(call.text, client.signal);
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

/** Until the run ends or the client goes; neither does anything to the run. */
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
