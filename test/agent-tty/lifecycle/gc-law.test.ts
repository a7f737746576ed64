import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  collectGarbage,
  createSession,
  type Home,
  openHome,
  restartSession,
  type Session,
  type SpawnPty,
  STATUS_POLICY,
} from "agent-tty";
import { systemClock, systemIds } from "agent-tty/kit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../support/property-runs.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const SPEC = { command: ["program"], cwd: "/", env: {} } as const;
/** Higher than every pid that the kernel assigns. */
const NO_SUCH_PID = 99_999_999;

/** Simulates a child that lives until it receives a signal. */
const spawn: SpawnPty = (_, listener) => {
  const end = (signal: string): boolean => {
    queueMicrotask(() => listener.exit({ type: "signal", signal }));
    return true;
  };
  return {
    pid: NO_SUCH_PID,
    pendingInputBytes: 0,
    write: () => Promise.resolve(),
    resize: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
    killGroup: (signal) => signal !== "SIGCONT" && end(signal),
    foregroundProgram: () => null,
    innerShell: () => null,
    isShellAlone: () => false,
    killForeground: (signal) => end(signal),
  };
};

type Step =
  | { type: "create" }
  | { type: "exit" | "destroy" | "close" | "restart"; which: number }
  | { type: "gc" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("create" as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("gc" as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom("exit" as const, "destroy" as const, "close" as const, "restart" as const),
      which: fc.nat(3),
    }),
  },
);

/** Applies steps to one home. Every step may fail, for example because its Session is gone. */
class Model {
  readonly sessions: Session[] = [];
  readonly removed = new Set<string>();
  readonly #home: Home;

  constructor(home: Home) {
    this.#home = home;
  }

  async take(next: Step): Promise<void> {
    if (next.type === "create") {
      this.sessions.push(await createSession(this.#home, SPEC, spawn));
    } else if (next.type === "gc") {
      const signal = new AbortController().signal;
      const { removed } = await collectGarbage(this.#home, { isDryRun: false, olderThanMs: 0, signal });
      for (const { sessionId } of removed) this.removed.add(sessionId);
    } else {
      const which = next.which % Math.max(1, this.sessions.length);
      const session = this.sessions[which];
      if (session !== undefined) await this.#takeOn(session, next.type, which);
    }
  }

  async #takeOn(
    session: Session,
    type: "exit" | "destroy" | "close" | "restart",
    which: number,
  ): Promise<void> {
    if (type === "exit") await session.signal("SIGTERM");
    if (type === "destroy") await session.destroy({ force: true });
    if (type === "close") await session[Symbol.asyncDispose]();
    if (type === "restart") {
      this.sessions[which] = await restartSession(this.#home, session.id, { env: {} }, spawn);
    }
  }
}

test("gc removes no active Session under any interleaving of create, exit, destroy, restart and gc (A22)", async () => {
  let removedInAll = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.boolean()), { minLength: 10, maxLength: 40 }),
      async (steps) => {
        await using root = await temporaryDirectory();
        const clock = systemClock;
        const home = await openHome({ directory: join(root.path, "home"), clock, ids: systemIds(clock) });
        const model = new Model(home);
        const under: Promise<void>[] = [];
        for (const [next, isAwaited] of steps) {
          const taken = model.take(next).catch(() => undefined);
          under.push(taken);
          if (isAwaited) await taken;
        }
        await Promise.all(under);
        for (const session of model.sessions) {
          if (!STATUS_POLICY[session.status()].active) continue;
          expect(model.removed).not.toContain(session.id);
          expect(await home.readManifest(session.id)).toMatchObject({ status: session.status() });
          expect(existsSync(join(session.directory, "events.jsonl"))).toBe(true);
        }
        for (const id of model.removed) expect(existsSync(home.sessionDirectory(id))).toBe(false);
        removedInAll += model.removed.size;
        await Promise.allSettled(model.sessions.map((session) => session[Symbol.asyncDispose]()));
      },
    ),
    { numRuns: propertyRuns(12, 25), seed: 20_261_121 },
  );
  expect(removedInAll).toBeGreaterThan(10);
}, 120_000);
