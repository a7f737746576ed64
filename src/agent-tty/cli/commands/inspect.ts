import { join } from "node:path";
import { readArtifacts } from "../../capture/index.ts";
import { type Home, STATUS_POLICY } from "../../home/index.ts";
import { shellQuote } from "../../kit/index.ts";
import { readEvents, readLastSeq } from "../../log/index.ts";
import { rpcSocketPath } from "../../protocol/index.ts";
import { exitText } from "../exit-text.ts";
import { askLiveHost } from "../live-host.ts";
import { inert } from "../inert.ts";
import type { CommandResult } from "../report.ts";
import { skippedDamage } from "../skipped-damage.ts";

/**
 * Returns the manifest, the facts about the Event Log and, for a live Session, the host's answer (A20). It needs no Session that
 * accepts commands (A14).
 */
export async function inspect(home: Home, sessionId: string): Promise<CommandResult> {
  const session = await home.readManifest(sessionId);
  const directory = home.sessionDirectory(sessionId);
  const live = await askLiveHost(home, sessionId, (host) => host.call({ method: "status" }));
  const status = live?.status ?? session.status;
  const { lastSeq: writtenSeq, sizeBytes } = await readLastSeq(directory);
  const lastSeq = live?.lastSeq ?? writtenSeq;
  const { onDamage, fields, warnings } = skippedDamage({ status });
  if (live === null) for await (const _ of readEvents(directory, { onDamage }));
  const artifacts = await readArtifacts(join(directory, "artifacts"));
  const result = {
    session,
    status: { value: status, policy: STATUS_POLICY[status] },
    lastEventSeq: lastSeq,
    eventLogBytes: sizeBytes,
    ...fields(),
    artifacts,
    termination:
      session.exit === null && session.failure === null
        ? null
        : { exit: session.exit, reason: session.failure },
    host: { rpcSocketPath: live === null ? null : rpcSocketPath(directory) },
  };
  const lines = [
    `Session ${sessionId} (${status})`,
    `command    ${session.command.map(shellQuote).join(" ")}`,
    `directory  ${session.cwd}`,
    `size       ${session.cols} x ${session.rows}`,
    `created    ${session.createdAt}`,
    `Event Log  ${lastSeq} events, ${sizeBytes} bytes`,
    `artifacts  ${artifacts.length}`,
    ...(session.exit === null ? [] : [`exited     ${exitText(session.exit)}`]),
    ...(session.failure === null ? [] : [`failure    ${session.failure}`]),
  ];
  return { result, text: lines.map(inert).join("\n"), warnings: warnings() };
}
