import { type Home, type SessionStatus, STATUS_POLICY } from "../../home/index.ts";
import { inert } from "../inert.ts";
import type { CommandResult } from "../report.ts";

/** Characters of a name or command line that people see. */
const SHOWN_CHARACTERS = 200;

/** Lists active Sessions, all Sessions, or those with one status. A manifest that cannot be read is always listed. */
export async function list(
  home: Home,
  options: { all: boolean; status: SessionStatus | null },
): Promise<CommandResult> {
  const readings = await home.listManifests();
  const sessions = readings
    .flatMap((reading) => (reading.type === "read" ? [reading.manifest] : []))
    .filter(({ status }) =>
      options.status === null ? options.all || STATUS_POLICY[status].active : status === options.status,
    );
  const unreadable = readings.flatMap((reading) =>
    reading.type === "unreadable" ? [{ sessionId: reading.sessionId, reason: reading.reason }] : [],
  );
  const rows = sessions.map(({ sessionId, status, createdAt, name, command }) =>
    inert(
      `${sessionId}  ${status.padEnd(10)}  ${createdAt}  ${(name ?? command.join(" ")).slice(0, SHOWN_CHARACTERS)}`,
    ),
  );
  const broken = unreadable.map(({ sessionId, reason }) => inert(`${sessionId}  unreadable: ${reason}`));
  return {
    result: { sessions, unreadable },
    text: [...rows, ...broken].join("\n") || "no Sessions",
  };
}
