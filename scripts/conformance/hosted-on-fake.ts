import { createSession, openHome, type Session } from "agent-tty";
import { createVirtualClock, seededIds, type VirtualClock } from "agent-tty/testing";
import { temporaryDirectory } from "../../test/support/temporary-directory.ts";

type SpawnPty = NonNullable<Parameters<typeof createSession>[2]>;
type SessionExit = Awaited<Session["exited"]>;

/** A pid that no process can have, so that the engine's lookups and signals reach no process. */
const NO_PID = 2_147_483_647;
const SIZE = { cols: 80, rows: 24 };
export const HOOKS_NONCE = "0123456789abcdef";

/** A terminal without a child process: the test decides what it shows and when it ends. */
export interface FakeTerminal {
  readonly spawn: SpawnPty;
  /** Returns everything that the engine has typed. */
  typed(): string;
  feed(text: string): void;
  exit(exit: SessionExit): void;
}

export interface HostedSession extends AsyncDisposable {
  readonly session: Session;
  readonly terminal: FakeTerminal;
  readonly clock: VirtualClock;
}

/** Creates a real Session of the engine on a fake terminal and a virtual clock, in a new home. */
export async function hostedOnFake(shell: "prompt-hooks" | "typed-line"): Promise<HostedSession> {
  const root = await temporaryDirectory();
  const clock = createVirtualClock();
  const home = await openHome({ directory: `${root.path}/home`, clock, ids: seededIds(clock, 1) });
  const terminal = fakeTerminal();
  const hooks = shell === "prompt-hooks" ? { shellIntegration: { nonce: HOOKS_NONCE } } : {};
  const session = await createSession(
    home,
    { command: ["sh"], cwd: root.path, env: {}, ...SIZE, ...hooks },
    terminal.spawn,
  );
  return {
    session,
    terminal,
    clock,
    [Symbol.asyncDispose]: async () => {
      terminal.exit({ type: "signal", signal: "SIGKILL" });
      await session[Symbol.asyncDispose]();
      await root[Symbol.asyncDispose]();
    },
  };
}

function fakeTerminal(): FakeTerminal {
  let typed = "";
  let listener: Parameters<SpawnPty>[1] | null = null;
  const exit = (how: SessionExit): void => {
    listener?.exit(how);
    listener = null;
  };
  return {
    spawn: (_spec, given) => {
      listener = given;
      return {
        pid: NO_PID,
        pendingInputBytes: 0,
        write: async (data) => void (typed += Buffer.from(data).toString()),
        resize: () => undefined,
        pause: () => undefined,
        resume: () => undefined,
        killGroup: () => listener !== null,
        killForeground: () => listener !== null,
        foregroundProgram: () => null,
        innerShell: () => null,
        isShellAlone: () => false,
      };
    },
    typed: () => typed,
    feed: (text) => listener?.output(Buffer.from(text)),
    exit,
  };
}
