import { expect, test } from "vitest";
import {
  type AgentHandle,
  type AgentHandleConfig,
  type AgentHandleState,
  launchAgentHandle,
} from "../../../src/tui/index.ts";
import { engine } from "../../agent-tty/engine-fixture.ts";

type Told = AgentHandleState["type"];

const SILENT_CAT = ["sh", "-c", "stty -echo; exec cat"] as const;
const AN_HOUR_MS = 3_600_000;

async function launch(command: AgentHandleConfig["command"], rest: Partial<AgentHandleConfig> = {}) {
  const tty = await engine();
  const handle = await launchAgentHandle(tty.home, {
    command,
    checkout: tty.directory,
    env: tty.env,
    ...rest,
  });
  return {
    handle,
    directory: tty.directory,
    [Symbol.asyncDispose]: async () => {
      await handle[Symbol.asyncDispose]();
      await tty[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when the handle is, or becomes, this. */
function becomes(handle: AgentHandle, type: Told): Promise<AgentHandleState> {
  return new Promise((resolve) => {
    const watch = handle.subscribe((state) => {
      if (state.type !== type) return;
      watch[Symbol.dispose]();
      resolve(state);
    });
    if (handle.state.type === type) resolve(handle.state);
  });
}

test.concurrent("L1, L3, L10: a handle launches its command in the checkout and runs from the first output", async () => {
  await using launched = await launch(["sh", "-c", "pwd; exec cat"]);
  const { handle, directory } = launched;
  await becomes(handle, "running");
  const { visibleLines } = await handle.terminal.snapshot();
  expect(visibleLines.join("")).toContain(directory);
  expect(handle.stateChangedAtMs).toBeGreaterThan(0);
});

test.concurrent("L3, L4, L5, L8: silence needs input until there is output, each told as it happens", async () => {
  await using launched = await launch(SILENT_CAT, {
    timings: { needsInputAfterMs: 50, staleAfterMs: AN_HOUR_MS },
  });
  const { handle } = launched;
  const told: Told[] = [];
  handle.subscribe(({ type }) => told.push(type));
  await becomes(handle, "needs-input");
  // It runs for 50 ms only: who asks afterwards may come too late.
  const isRunning = becomes(handle, "running");
  await handle.terminal.type("hello\n");
  await isRunning;
  expect(told.slice(0, 2)).toEqual(["needs-input", "running"]);
});

test.concurrent("L5, L6: longer silence is stale until there is output", async () => {
  await using launched = await launch(SILENT_CAT, { timings: { needsInputAfterMs: 50, staleAfterMs: 100 } });
  const { handle } = launched;
  expect(await becomes(handle, "stale")).toMatchObject({ type: "stale" });
  const isRunning = becomes(handle, "running");
  await handle.terminal.type("hello\n");
  expect(await isRunning).toEqual({ type: "running" });
});

test.concurrent("L7: the end of the program ends the handle, with the right code", async () => {
  for (const [command, code] of [
    [["true"], 0],
    [["sh", "-c", "exit 7"], 7],
    [["sh", "-c", "kill -9 $$"], 137],
  ] as const) {
    await using launched = await launch([...command] as unknown as AgentHandleConfig["command"]);
    expect(await becomes(launched.handle, "exited")).toEqual({ type: "exited", code });
  }
});

test.concurrent("L12: stop ends a program that listens, and one that does not", async () => {
  for (const [command, code] of [
    [["sh", "-c", "echo listening; exec cat"], 143],
    [["sh", "-c", "trap '' TERM; echo deaf; while :; do sleep 1; done"], 137],
  ] as const) {
    await using launched = await launch([...command] as unknown as AgentHandleConfig["command"]);
    const { handle } = launched;
    await becomes(handle, "running");
    await handle.stop();
    expect(handle.state).toEqual({ type: "exited", code });
    await expect(handle.stop()).rejects.toMatchObject({ code: "AGENT_HANDLE_EXITED" });
  }
});

test.concurrent("L11: restart goes on in the same terminal behind a separator, and only after the end", async () => {
  await using launched = await launch(["sh", "-c", "echo once; read line"]);
  const { handle } = launched;
  await becomes(handle, "running");
  await expect(handle.restart()).rejects.toMatchObject({ code: "AGENT_HANDLE_NOT_EXITED" });
  const before = handle.terminal.id;
  await handle.stop();
  await handle.restart();
  expect(handle.terminal.id).toBe(before);
  expect(handle.state.type).not.toBe("exited");
  const found = await handle.terminal.wait(
    { regex: "once[\\s\\S]+restarted[\\s\\S]+once" },
    { callerTimeoutMs: 20_000 },
  );
  expect(found.type).toBe("matched");
  await handle.stop();
  expect(handle.state.type).toBe("exited");
});
