import { messageOf, shellQuote } from "agent-tty/kit";
import { type DeniedRequests, readDeniedRequests } from "../../denied-requests.ts";
import type { RunInHand } from "../run-in-hand.ts";

const LOG_MAX_BYTES = 1024 * 1024;
const READ_TIMEOUT_MS = 20_000;

/**
 * Returns the requests that the Coder workspace's Agent Firewall denied, read from the log that the Coder template configures. A
 * log that is missing or cannot be read causes at most a warning. null: nothing was denied, no log is configured, or the log
 * could not be read.
 */
export async function readFirewallLog({ ready, context }: RunInHand): Promise<DeniedRequests | null> {
  const { firewallLog } = context.settings;
  if (firewallLog === null) return null;
  const files = `find ${shellQuote(firewallLog)} -maxdepth 1 -type f -exec cat -- {} +`;
  const command = `${files} 2>/dev/null | grep -a DENY | tail -c ${LOG_MAX_BYTES}`;
  const limits = { timeoutMs: READ_TIMEOUT_MS, maxOutputBytes: LOG_MAX_BYTES, signal: context.stop };
  try {
    const read = await ready.exec(command, limits);
    if (read.type === "exited") return readDeniedRequests(Buffer.from(read.stdout).toString("utf8"));
    throw new Error(read.type);
  } catch (error) {
    const message = `the log of the Agent Firewall was not read: ${messageOf(error)}`;
    context.ports.observe({ type: "warning", message });
    return null;
  }
}
