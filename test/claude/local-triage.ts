import { join } from "node:path";
import { createSession, type Home, openHome, type Session, shellIntegrationScript } from "agent-tty";
import { type Clock, shellQuote, systemClock, systemIds } from "agent-tty/kit";
import { type TriageAgentContext, triageFiles, type TriageFiles } from "../../src/triage/index.ts";
import {
  createLocalProvider,
  parentIdentity,
  type ReadyWorkspace,
  writeWorkspaceFile,
} from "../../src/workspaces/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A local Coder workspace with a checkout and a Session in it, as a Triage Agent finds them. */
export interface LocalTriage extends AsyncDisposable {
  /** The Event Log of the Session. */
  home: Home;
  session: Session;
  workspace: ReadyWorkspace;
  files: TriageFiles;
  context: (options: {
    remainingMs: number;
    signal?: AbortSignal;
    signalActivity?: TriageAgentContext["signalActivity"];
    reportFinal?: TriageAgentContext["reportFinal"];
    offerUsage?: TriageAgentContext["offerUsage"];
  }) => TriageAgentContext;
  write: (path: string, text: string) => Promise<void>;
}

const CLOCK = systemClock;
const IDS = systemIds(CLOCK);
const NEVER = new AbortController().signal;

/** `clock` is used only by the Session. */
export async function openLocalTriage(clock: Clock = CLOCK): Promise<LocalTriage> {
  const opened: AsyncDisposable[] = [];
  const dispose = async (): Promise<void> => {
    for (const one of opened.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  };
  try {
    const directory = await temporaryDirectory();
    opened.push(directory);
    const { workspace, destroy } = await openWorkspace(join(directory.path, "workspaces"));
    opened.push({ [Symbol.asyncDispose]: destroy });
    const write = (path: string, text: string): Promise<void> =>
      writeWorkspaceFile(workspace, path, Buffer.from(text), {}, NEVER);
    const files = triageFiles(workspace.directory);
    const nonce = IDS.hex(16);
    const rcFile = `${files.control}/shell.bashrc`;
    await workspace.exec(`git init -q ${shellQuote(files.checkout)}`, { timeoutMs: 10_000 });
    await write(rcFile, rcText(nonce, files));
    const home = await openHome({ directory: join(directory.path, "sessions"), clock, ids: IDS });
    const session = await createSession(home, {
      ...workspace.terminal({ rcFile }),
      shellIntegration: { nonce },
    });
    opened.push(session);
    return {
      home,
      session,
      workspace,
      files,
      write,
      context: ({
        remainingMs,
        signal = NEVER,
        signalActivity = () => undefined,
        reportFinal = () => undefined,
        offerUsage = () => undefined,
      }) => {
        const endMs = CLOCK.monotonicMs() + remainingMs;
        const remaining = (): number => endMs - CLOCK.monotonicMs();
        const told = { offerInput: () => undefined, offerUsage, reportFinal, signalActivity };
        return { session, workspace, issueNumber: 7, files, signal, remainingMs: remaining, ...told };
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

interface OpenedWorkspace {
  workspace: ReadyWorkspace;
  destroy: () => Promise<void>;
}

async function openWorkspace(root: string): Promise<OpenedWorkspace> {
  const parent = await parentIdentity();
  const provider = createLocalProvider({ root, clock: CLOCK, ids: IDS, parent });
  const lease = { runId: "20260101T000000Z", issueKey: "o/r#7", parent };
  const created = await provider.create({ name: "r-triage-7", lease }, NEVER);
  if (created.type !== "created") throw new Error("the lock of a fresh directory is taken");
  const destroy = async (): Promise<void> => {
    const destroyed = await provider.destroy(created.workspace, NEVER);
    if (destroyed.type === "stranded") throw destroyed.error;
  };
  return { workspace: await created.workspace.ready(NEVER, () => {}), destroy };
}

function rcText(nonce: string, files: TriageFiles): string {
  return [
    shellIntegrationScript(nonce),
    `export AFK_TRIAGE_ISSUE_FILE=${shellQuote(files.issue)}`,
    `export AFK_TRIAGE_OUTCOME_FILE=${shellQuote(files.outcome)}`,
    `cd ${shellQuote(files.checkout)}`,
    "",
  ].join("\n");
}
