import { createSession, exportAsciicast, type Home, type Session } from "agent-tty";
import { plainText, redactSecrets } from "../../github/index.ts";
import type { CommandEvidence, VerificationEvidence } from "./evidence.ts";

export interface EvidenceRequest {
  /** Shown by `agent-tty list`. */
  name: string;
  /** The checkout, which the commands may change. */
  directory: string;
  setup: readonly string[];
  verify: readonly string[];
  /** Time limit of one command, in milliseconds. */
  callerTimeoutMs: number;
  recordingPath: string;
}

export interface EvidencePorts {
  sessions: Home;
  /** The whole environment of the commands. */
  env: Readonly<Record<string, string>>;
  /** Removes secrets from an ended Session's files. false: one of ours was in them, and nothing of the Session may be kept. */
  cleanSession: (directory: string) => Promise<boolean>;
  onCommand: (command: string) => void;
  signal: AbortSignal;
}

const EXCERPT_MAX_BYTES = 2_000;

/** Runs the commands as Waited Runs in one Session until one fails, and keeps its recording as evidence. */
export async function collectEvidence(
  request: EvidenceRequest,
  ports: EvidencePorts,
): Promise<VerificationEvidence> {
  const startedAt = new Date(ports.sessions.clock.nowMs()).toISOString();
  const session = await createSession(ports.sessions, {
    // Bash reads no start files, because the user's own aliases and prompt would make the evidence depend on their machine.
    command: ["bash", "--norc"],
    cwd: request.directory,
    env: ports.env,
    name: request.name,
    shellIntegration: "automatic",
  });
  const commands = await runAndClose(session, request, ports);
  const isClean = await ports.cleanSession(session.directory);
  const isPassed = commands.every(({ exitCode }) => exitCode === 0);
  return {
    status: isPassed && isClean ? "passed" : "failed",
    startedAt,
    sessionId: session.id,
    recording: isClean ? await keptRecording(session.id, request.recordingPath, ports) : null,
    commands: isClean ? commands : commands.map(withoutOutput),
  };
}

async function runAndClose(
  session: Session,
  request: EvidenceRequest,
  ports: EvidencePorts,
): Promise<CommandEvidence[]> {
  await using running = session;
  return await runUntilFailure(running, request, ports);
}

async function runUntilFailure(
  session: Session,
  request: EvidenceRequest,
  ports: EvidencePorts,
): Promise<CommandEvidence[]> {
  const all = [
    ...request.setup.map((command) => ({ kind: "setup" as const, command })),
    ...request.verify.map((command) => ({ kind: "verify" as const, command })),
  ];
  const done: CommandEvidence[] = [];
  for (const { kind, command } of all) {
    ports.signal.throwIfAborted();
    ports.onCommand(command);
    const { callerTimeoutMs } = request;
    const result = await session.run(command, { callerTimeoutMs, signal: ports.signal });
    const output = await session.readOutput(result.output, EXCERPT_MAX_BYTES);
    const exitCode = result.type === "completed" ? result.exitCode : null;
    done.push({
      kind,
      command,
      end: result.type,
      exitCode,
      durationMs: Math.round(result.durationMs),
      output: redactSecrets(plainText(output)).trim(),
    });
    if (exitCode !== 0) break;
  }
  return done;
}

/**
 * Returns the path of the recording; null when it cannot be kept, because a failed recording must not make the verification fail.
 */
async function keptRecording(
  sessionId: string,
  path: string,
  { sessions }: EvidencePorts,
): Promise<string | null> {
  try {
    await exportAsciicast(sessions, sessionId, path);
    return path;
  } catch {
    return null;
  }
}

function withoutOutput(command: CommandEvidence): CommandEvidence {
  return { ...command, output: "(not shown: a secret of this process was in the output)" };
}
