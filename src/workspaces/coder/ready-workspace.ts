import type { CoderWorkspace, Lease, ReadyWorkspace, WorkspaceIdentity } from "../port.ts";
import { awaitAgent, failureOf, look } from "./await-ready.ts";
import type { CoderContext } from "./coder-context.ts";
import { planReadiness } from "./readiness.ts";
import { coderConnection, patientExec } from "./exchange.ts";
import { heldTerminal, probeShell, sshTerminal, type SshTransport } from "./ssh.ts";
import { TMUX_PROBE } from "./terminal/index.ts";
import { printable, workspaceError } from "./workspace-error.ts";

/**
 * Creates the handle of a Coder workspace of a deployment; its method `ready` waits for the Coder workspace and connects to it.
 */
export function coderWorkspace(
  context: CoderContext,
  { id, name }: WorkspaceIdentity,
  lease: Lease,
): Omit<CoderWorkspace, "origin"> {
  return {
    id,
    name,
    ready: async (signal, onPhase) => {
      const agent = await awaitAgent(context, { id, name }, signal, onPhase);
      const { cli, clock, ids, token } = context;
      const target = { workspaceId: id, agentName: agent.name };
      const { connectTimeoutMs } = context.timings;
      const transport: SshTransport = { cli, target, clock, ids, token, connectTimeoutMs };
      onPhase("shell");
      await awaitShell(context, { id, name }, transport, signal);
      const connection = coderConnection(context, { id, name });
      const exec: ReadyWorkspace["exec"] = (commandLine, options) =>
        patientExec(transport, connection, signal, commandLine, options);
      const made = await makeRunDirectory(context, name, exec, lease.runId, signal);
      return { ...readyWorkspace(context, transport, made), connection, exec };
    },
  };
}

function readyWorkspace(
  { terminals }: CoderContext,
  transport: SshTransport,
  { directory, hasTmux }: RunDirectory,
): Pick<ReadyWorkspace, "directory" | "warnings" | "terminal"> {
  const { relay } = terminals;
  const isMissed = relay !== null && !hasTmux && !terminals.warned.missing;
  if (isMissed) terminals.warned.missing = true;
  return {
    directory,
    warnings: isMissed ? [WITHOUT_TMUX] : [],
    terminal: ({ rcFile }) =>
      relay !== null && hasTmux
        ? heldTerminal(transport, directory, rcFile, { ...terminals, relay })
        : sshTerminal(transport, directory, rcFile),
  };
}

const WITHOUT_TMUX =
  "The Coder workspace has no tmux 3: a lost connection ends the Session, and its Triage Run starts again. " +
  "Install tmux in the image of the Coder template, or set coder.multiplexer: none.";

/**
 * Waits until a shell answers. A connected Coder workspace agent may still refuse the first sessions, especially after a prebuild
 * was claimed.
 */
async function awaitShell(
  context: CoderContext,
  workspace: WorkspaceIdentity,
  transport: SshTransport,
  signal: AbortSignal,
): Promise<void> {
  const { clock, timings } = context;
  let seen = "";
  for (let attempt = 1; attempt <= timings.shellAttempts; attempt += 1) {
    const refusal = await probeShell(transport, timings.shellTimeoutMs, signal);
    if (refusal === null) return;
    seen = refusal;
    // The exit status says nothing about the Coder workspace itself, so the API is asked whether another try makes sense.
    const readiness = planReadiness(await look(context, workspace, signal), context.agentName);
    if (readiness.type !== "ready" && readiness.type !== "waiting")
      throw await failureOf(context, workspace, readiness, signal);
    await clock.sleep(timings.shellRetryMs, signal);
  }
  throw workspaceError({
    code: "WORKSPACE_SHELL_UNREACHABLE",
    message: `coder ssh did not reach the Coder workspace ${workspace.name} in ${timings.shellAttempts} attempts; last seen: ${printable(seen)}`,
    remedy: `Try \`coder ssh ${workspace.name} -- printf ready\` from this machine; \`coder ping\` and \`coder netcheck\` show details.`,
  });
}

interface RunDirectory {
  directory: string;
  hasTmux: boolean;
}

/**
 * Creates `$HOME/.afk-triage/<run id>` with mode 0700, outside every checkout and private to the remote user, and resolves with
 * it. The same command also checks for tmux.
 */
async function makeRunDirectory(
  { timings }: CoderContext,
  name: string,
  exec: ReadyWorkspace["exec"],
  runId: string,
  signal: AbortSignal,
): Promise<RunDirectory> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(runId)) throw new Error(`not a run id: ${runId}`);
  const command =
    `umask 077 && directory="$HOME/.afk-triage/${runId}" && mkdir -p -- "$directory" && ` +
    `chmod 700 -- "$HOME/.afk-triage" "$directory" && cd -- "$directory" && { if ${TMUX_PROBE}; then printf tmux; fi; pwd -P; }`;
  const result = await exec(command, { timeoutMs: timings.shellTimeoutMs, signal });
  let seen: string = result.type;
  if (result.type === "transport-lost") seen = result.message;
  if (result.type === "exited") {
    const printed = Buffer.from(result.stdout).toString("utf8").trimEnd();
    const directory = printed.replace(/^tmux\//, "/");
    if (result.exitCode === 0 && directory.startsWith("/"))
      return { directory, hasTmux: directory !== printed };
    seen = `exit ${result.exitCode}: ${result.stderr || printed}`;
  }
  throw workspaceError({
    code: "WORKSPACE_SHELL_UNREACHABLE",
    message: `Tried to create the run's directory in the Coder workspace ${name}: ${printable(seen)}`,
    remedy: "The image of the Coder template needs bash, and a writable home directory.",
  });
}
