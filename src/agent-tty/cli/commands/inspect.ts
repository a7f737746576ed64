import { join } from "node:path";
import { readArtifacts } from "../../capture/index.ts";
import { type Home, STATUS_POLICY } from "../../home/index.ts";
import { readLastSeq } from "../../log/index.ts";
import type { CommandResult } from "../report.ts";

export async function inspect(home: Home, sessionId: string): Promise<CommandResult> {
  const session = await home.readManifest(sessionId);
  const directory = home.sessionDirectory(sessionId);
  const { lastSeq, sizeBytes } = await readLastSeq(directory);
  const artifacts = await readArtifacts(join(directory, "artifacts"));
  const result = {
    session,
    status: { value: session.status, policy: STATUS_POLICY[session.status] },
    lastEventSeq: lastSeq,
    eventLogBytes: sizeBytes,
    artifacts,
    termination:
      session.exit === null && session.failure === null
        ? null
        : { exit: session.exit, reason: session.failure },
    host: { rpcSocketPath: null },
  };
  const lines = [
    `Session ${sessionId} (${session.status})`,
    `command    ${JSON.stringify(session.command)}`,
    `directory  ${session.cwd}`,
    `size       ${session.cols} x ${session.rows}`,
    `created    ${session.createdAt}`,
    `Event Log  ${lastSeq} events, ${sizeBytes} bytes`,
    `artifacts  ${artifacts.length}`,
    ...(session.exit === null ? [] : [`exit       ${JSON.stringify(session.exit)}`]),
    ...(session.failure === null ? [] : [`failure    ${session.failure}`]),
  ];
  return { result, text: lines.join("\n") };
}
