import { createSession, type Home, type Session, shellIntegrationScript } from "agent-tty";
import { type Ids, systemClock } from "agent-tty/kit";
import type { Place } from "../../src/evidence/index.ts";
import {
  type CoderWorkspaceProvider,
  createLocalProvider,
  parentIdentity,
  writeWorkspaceFile,
} from "../../src/workspaces/index.ts";

const NO_PERSON = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_ATTR_NOSYSTEM: "1" };

export interface LocalPlaces {
  /** Opens a separate place for one verification; disposing it removes the directory and ends its processes. */
  open(name: string, signal: AbortSignal): Promise<Place & AsyncDisposable>;
}

/** Returns places of the local provider, below `root`. */
export async function localPlaces(root: string, home: Home, ids: Ids): Promise<LocalPlaces> {
  const provider = createLocalProvider({ root, clock: systemClock, ids, parent: await parentIdentity() });
  await provider.preflight(new AbortController().signal);
  return { open: (name, signal) => openPlace(name, provider, home, ids, signal) };
}

async function openPlace(
  name: string,
  provider: CoderWorkspaceProvider,
  home: Home,
  ids: Ids,
  signal: AbortSignal,
): Promise<Place & AsyncDisposable> {
  const lease = { runId: "20260101T000000Z", issueKey: `evidence/${name}#1`, parent: await parentIdentity() };
  const created = await provider.create({ name, lease }, signal);
  if (created.type === "locked") throw new Error(`the place ${name} is taken`);
  const workspace = await created.workspace.ready(signal, () => undefined);
  const directory = `${workspace.directory}/verify`;
  const openSession = async (): Promise<Session> => {
    const nonce = ids.hex(16);
    const rcFile = `${directory}/shell.bashrc`;
    const exports = Object.entries(NO_PERSON).map(([key, value]) => `export ${key}=${value}`);
    const script = [shellIntegrationScript(nonce), ...exports, `cd -- "${directory}"`, ""].join("\n");
    await writeWorkspaceFile(workspace, rcFile, Buffer.from(script), {}, signal);
    const terminal = workspace.terminal({ rcFile });
    return createSession(home, { ...terminal, name, shellIntegration: { nonce }, answersQueries: false });
  };
  return {
    kind: "fresh",
    workspace,
    directory,
    openSession,
    [Symbol.asyncDispose]: async () => {
      await provider.destroy(created.workspace, new AbortController().signal);
    },
  };
}
