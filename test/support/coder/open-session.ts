import { join } from "node:path";
import { createSession, openHome, type Session, shellIntegrationScript } from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { type ReadyWorkspace, writeWorkspaceFile } from "../../../src/workspaces/index.ts";
import { never } from "./connect.ts";

const NONCE = "0123456789abcdef";

/** Opens a Session over the Coder workspace's shell, with shell integration; its home is created below `directory`. */
export async function openStandInSession(shell: ReadyWorkspace, directory: string): Promise<Session> {
  const rcFile = `${shell.directory}/shell.bashrc`;
  await writeWorkspaceFile(shell, rcFile, Buffer.from(shellIntegrationScript(NONCE)), {}, never);
  const ids = systemIds(systemClock);
  const home = await openHome({ directory: join(directory, "home"), clock: systemClock, ids });
  return createSession(home, { ...shell.terminal({ rcFile }), shellIntegration: { nonce: NONCE } });
}
