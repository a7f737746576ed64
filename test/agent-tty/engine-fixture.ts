import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createSession,
  type Home,
  openHome,
  type Session,
  type SessionSpec,
  shellIntegrationScript,
} from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import { temporaryDirectory } from "../support/temporary-directory.ts";

export const APPS = join(import.meta.dirname, "../fixtures/apps");
export const PATIENT = { callerTimeoutMs: 20_000 };
export const NONCE = "0123456789abcdef";

export interface Engine extends AsyncDisposable {
  home: Home;
  directory: string;
  env: Record<string, string>;
  create(spec: Partial<SessionSpec> & Pick<SessionSpec, "command">): Promise<Session>;
  /** Starts a fixture program of test/fixtures/apps. */
  app(name: string, spec?: Partial<SessionSpec>): Promise<Session>;
  /** Starts bash with our prompt hooks. */
  bash(spec?: Partial<SessionSpec>): Promise<Session>;
}

/** Creates a new home. Everything that is started in it ends when the test's scope ends. */
export async function engine(): Promise<Engine> {
  const root = await temporaryDirectory();
  const sessions: Session[] = [];
  const clock = systemClock;
  const home = await openHome({ directory: join(root.path, "home"), clock, ids: systemIds(clock) });
  const directory = join(root.path, "work");
  await mkdir(directory);
  const marker = process.env["AFK_TEST_RUN"];
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: directory,
    ...(marker === undefined ? {} : { AFK_TEST_RUN: marker }),
  };
  const create: Engine["create"] = async (spec) => {
    const session = await createSession(home, { cwd: directory, env, ...spec });
    sessions.push(session);
    return session;
  };
  return {
    home,
    directory,
    env,
    create,
    app: (name, spec) => create({ ...spec, command: [process.execPath, join(APPS, name)] }),
    bash: async (spec) => {
      const rc = join(root.path, "shell.bashrc");
      await writeFile(rc, shellIntegrationScript(NONCE));
      const command = ["bash", "--noediting", "--rcfile", rc, "-i"] as const;
      return create({ ...spec, command: [...command], shellIntegration: { nonce: NONCE } });
    },
    [Symbol.asyncDispose]: async () => {
      const ends = await Promise.allSettled(sessions.map((session) => session[Symbol.asyncDispose]()));
      await root[Symbol.asyncDispose]();
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}

/**
 * Types a command that continues while no caller waits for it. The timeout may end before the shell reads: if the command was not
 * accepted, it was not typed, and is tried again.
 */
export async function leaveRunning(session: Session, commandLine: string): Promise<void> {
  for (;;) {
    const result = await session.run(commandLine, { callerTimeoutMs: 200 });
    if (result.type !== "timed-out") throw new Error(`it has ended: ${JSON.stringify(result)}`);
    if (result.accepted) return;
  }
}
