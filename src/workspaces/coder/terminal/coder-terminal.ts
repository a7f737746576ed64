#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { systemClock } from "agent-tty/kit";
import { openConnection } from "./open-connection.ts";
import { attachCommand } from "./remote-scripts.ts";
import { LOST, TerminalRelay, type TerminalSize } from "./relay.ts";
import { type RelaySpec, relaySpecSchema } from "./relay-spec.ts";
import { workspaceState } from "./workspace-state.ts";

/**
 * Runs the child process on a Session's PTY if the Coder workspace has tmux. argv: one `RelaySpec` as JSON. Resolves with the
 * exit code.
 */
async function main(): Promise<number> {
  const spec = relaySpecSchema.parse(JSON.parse(process.argv[2] ?? "null"));
  // libuv's raw mode would still convert \n into \r\n.
  spawnSync("stty", ["raw", "-echo"], { stdio: "inherit" });
  const environment = (): NodeJS.ProcessEnv => ({ ...process.env, ...renewedToken(spec) });
  const size = (): TerminalSize => ({ cols: process.stdout.columns, rows: process.stdout.rows });
  const relay = new TerminalRelay(spec, {
    clock: systemClock,
    connect: (offset, at) =>
      openConnection(
        [...spec.ssh, attachCommand({ ...spec.remote, keptBytes: spec.limits.keptBytes }, { offset, ...at })],
        environment(),
        { clock: systemClock, killAfterMs: spec.limits.killAfterMs },
      ),
    workspaceState: () => workspaceState(environment(), spec.workspaceId),
    write: (bytes) => process.stdout.write(bytes),
    onTaken: () => relay.isFull || process.stdin.resume(),
    size,
  });
  process.stdin.on("data", (bytes) => {
    relay.type(Buffer.from(bytes));
    if (relay.isFull) process.stdin.pause();
  });
  process.stdout.on("resize", () => relay.resize(size()));
  const stopped = new Promise<number>((resolve) => {
    const stop = (): void => void relay.quit().then(() => resolve(LOST));
    for (const name of ["SIGHUP", "SIGTERM", "SIGINT"] as const) process.once(name, stop);
  });
  return Promise.race([relay.run(), stopped]);
}

/**
 * Returns the token from its file as a variable. It is read before every connection, because the parent renews a token that
 * expires during the run.
 */
function renewedToken({ tokenFile }: RelaySpec): { CODER_SESSION_TOKEN?: string } {
  if (tokenFile === null) return {};
  try {
    return { CODER_SESSION_TOKEN: readFileSync(tokenFile, "utf8").trim() };
  } catch {
    return {};
  }
}

process.exit(await main());
