import type { Home } from "../../home/index.ts";
import type { Call } from "../../protocol/index.ts";
import { withCommandTarget } from "../live-host.ts";
import type { CommandResult } from "../report.ts";

export type InputCall = Extract<
  Call,
  { method: "type" | "paste" | "send-keys" | "mark" | "resize" | "signal" }
>;

/** Sends input or control to a live Session (A13); resolves with its sequence once it is in the Event Log. */
export async function input(home: Home, sessionId: string, call: InputCall): Promise<CommandResult> {
  const { seq } = await withCommandTarget(home, sessionId, (host) => host.call(call));
  return { result: { sessionId, seq }, text: `event ${seq}` };
}
