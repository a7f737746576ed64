import { type Home, sessionLiveness } from "agent-tty";
import type { TerminalDocument } from "../api/index.ts";
import type { IssueRef, RepositoryName } from "../../github/index.ts";
import type { TriageRunFacts } from "../../runs/index.ts";
import { verificationSessionName } from "../../triage/index.ts";
import type { BoardHome } from "./board-home.ts";

/**
 * Returns the Triage Agent's terminal, then the terminal of the parent's own runs (L10), each only if its Session is still kept.
 */
export async function terminalsOf(facts: TriageRunFacts, boardHome: BoardHome): Promise<TerminalDocument[]> {
  const home = await boardHome.sessions();
  if (home === null) return [];
  const first = facts.sessionId === null ? null : await boardHome.session(facts.sessionId);
  const verification = await verificationSession(facts, home);
  return [
    ...(first === null ? [] : [terminal("triage-agent", first.manifest)]),
    ...(verification === null ? [] : [terminal("verification", verification)]),
  ];
}

type Manifest = Parameters<typeof sessionLiveness>[0] & { sessionId: string };

function terminal(name: TerminalDocument["name"], manifest: Manifest): TerminalDocument {
  return { name, sessionId: manifest.sessionId, isLive: sessionLiveness(manifest) === "live" };
}

/**
 * Returns the Session of the parent's own runs; null: it is not kept. The run's row does not name it, so it is found by its name
 * among the Sessions that were created while the run verified.
 */
async function verificationSession(facts: TriageRunFacts, home: Home): Promise<Manifest | null> {
  const { history } = facts.progress;
  const begin = history.find(({ phase }) => phase === "verifying")?.atMs;
  if (begin === undefined) return null;
  const end = history.find(({ atMs, phase }) => atMs >= begin && phase !== "verifying")?.atMs ?? Infinity;
  const ref: IssueRef = { repo: facts.repo as RepositoryName, number: facts.number };
  const name = verificationSessionName(ref);
  const found = (await home.listManifests()).flatMap((reading) => {
    if (reading.type === "unreadable" || reading.manifest.name !== name) return [];
    const madeMs = Date.parse(reading.manifest.createdAt);
    return madeMs >= begin && madeMs <= end ? [reading.manifest] : [];
  });
  return found.at(-1) ?? null;
}
