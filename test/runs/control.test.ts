import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { encodeMessage, FrameDecoder, rpcSocketPath } from "agent-tty";
import { systemClock } from "agent-tty/kit";
import { expect, test } from "vitest";
import {
  connectToParent,
  controlDirectory,
  type ParentConnection,
  removeControlOf,
  type RunUpdate,
  serveControl,
} from "../../src/runs/index.ts";
import { poll } from "../support/batch/poll.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { brief, type OwnerFixture, ownerFixture, RUN_ID } from "./owner-fixture.ts";

const never = new AbortController().signal;
const issue = { repo: "o/r", number: 7 };

interface Served extends AsyncDisposable, OwnerFixture {
  home: string;
  parent: ParentConnection;
}

/** Starts the parent of a batch with the run o/r#7, and one process connected to it. */
async function served(): Promise<Served> {
  const temporary = await temporaryDirectory();
  const home = join(temporary.path, "a-home-whose-path-is-longer-than-a-socket-address-may-be".repeat(2));
  const fixture = ownerFixture();
  const server = await serveControl(controlDirectory(home, RUN_ID), {
    service: fixture.service,
    runId: RUN_ID,
    parent: "host/1/1",
    clock: systemClock,
  });
  const lookup = await connectToParent({ home, runId: RUN_ID }, systemClock);
  if (lookup.type === "gone") throw new Error(lookup.seen);
  return {
    ...fixture,
    home,
    parent: lookup.parent,
    [Symbol.asyncDispose]: async () => {
      await lookup.parent[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

test("a parent identifies itself, and a call for a run that is not in progress is answered without an error (O20)", async () => {
  await using at = await served();
  expect(await at.parent.call({ method: "ping" }, never)).toEqual({
    type: "alive",
    runId: RUN_ID,
    parent: "host/1/1",
  });
  const other = { repo: "o/r", number: 8 };
  const calls = [
    { method: "stop", ...other },
    { method: "kill", ...other },
    { method: "send", ...other, text: "hi" },
  ] as const;
  for (const call of calls) expect(await at.parent.call(call, never)).toEqual({ type: "no-active-run" });
  const watching = at.parent.observe(
    { method: "observe", ...other, mode: { type: "live" } },
    () => undefined,
    never,
  );
  expect(await watching).toEqual({ type: "no-active-run" });
});

test("stop from another process aborts only that run and settles its prompt as stopped (C17)", async () => {
  await using at = await served();
  using _runner = at.owner.attachRunner(at.runner);
  at.owner.admit();
  expect(await at.parent.call({ method: "stop", ...issue }, never)).toEqual({ type: "stopping" });
  expect(at.owner.stopSignal.reason).toEqual(new Error("stopped"));
  await poll("the settlement", () => at.owner.facts.runState.state === "idle");
  expect(at.owner.facts.activity.isTerminated).toBe(false);
});

test("kill from another process marks the run terminated (O18)", async () => {
  await using at = await served();
  expect(await at.parent.call({ method: "kill", ...issue }, never)).toEqual({ type: "stopping" });
  expect(at.owner.facts.activity.isTerminated).toBe(true);
  expect(at.owner.stopSignal.reason).toEqual(new Error("killed"));
});

test("send goes through the gate, and a refusal is an answer with its reason (H39)", async () => {
  await using at = await served();
  const send = { method: "send", ...issue, text: "look at widget.mjs" } as const;
  expect(await at.parent.call(send, never)).toMatchObject({ type: "refused", reason: "takes-no-input" });
  using _runner = at.owner.attachRunner(at.runner);
  expect(await at.parent.call(send, never)).toEqual({ type: "sent" });
  expect(at.runner.sent).toEqual(["look at widget.mjs"]);
});

test("an answer to a dialog goes through the gate together with the dialog that the person saw (B9)", async () => {
  await using at = await served();
  const dialog = { kind: "permission" as const, heading: "Proceed?", choices: ["Yes", "No"] };
  const answer = { method: "answer" as const, ...issue, dialog, choice: 1 };
  expect(await at.parent.call(answer, never)).toMatchObject({ type: "refused", reason: "takes-no-input" });
  using _runner = at.owner.attachRunner(at.runner);
  expect(await at.parent.call(answer, never)).toEqual({ type: "sent" });
  expect(at.runner.sent).toEqual(["chose No"]);
});

test("attach receives updates until the end, and leaving changes nothing (C17)", async () => {
  await using at = await served();
  const leave = new AbortController();
  const [seen, left]: [string[], RunUpdate[]] = [[], []];
  const live = { method: "observe", ...issue, mode: { type: "live" } } as const;
  const watching = at.parent.observe(live, (update) => void seen.push(brief(update)), never);
  const leaving = at.parent.observe(live, (update) => void left.push(update), leave.signal);
  await poll("both observers", () => seen.length === 1 && left.length === 1);
  leave.abort(new Error("enough"));
  await expect(leaving).rejects.toThrow("enough");
  at.owner.admit();
  await poll("the admission", () => seen.includes("changed running"));
  at.owner.settle("turn-outcome");
  at.owner.lifecycle.report({ type: "run-settled", atMs: 9, end: { status: "skipped", reason: "cooldown" } });
  expect(await watching).toEqual({ type: "ended" });
  expect(seen.at(-1)).toBe("ended idle");
  expect(left).toHaveLength(1);
});

test("the server stops reading for a client that has disconnected (C17)", async () => {
  await using at = await served();
  const { owner, runner, clock } = at;
  using _runner = owner.attachRunner(runner);
  owner.admit();
  let looks = 0;
  runner.screen.look = async () => {
    looks += 1;
    return { text: runner.text, posture: "busy" };
  };
  /** Returns whether the monitor reads new output, which it does only for an observer. */
  const isRead = async (): Promise<boolean> => {
    const before = looks;
    runner.text += "x";
    await clock.advance(2_000);
    return looks > before;
  };
  expect([await isRead(), await isRead()]).toEqual([true, false]);
  const lookup = await connectToParent({ home: at.home, runId: RUN_ID }, systemClock);
  if (lookup.type === "gone") throw new Error(lookup.seen);
  const live = { method: "observe", ...issue, mode: { type: "live" } } as const;
  const watching = lookup.parent.observe(live, () => undefined, never).catch(() => "lost");
  await poll("the watching", isRead);
  await lookup.parent[Symbol.asyncDispose]();
  expect(await watching).toBe("lost");
  await poll("its end", async () => !(await isRead()), 5_000);
});

test("the socket is 0600 in a directory that is 0700, and both are removed with the parent (S17)", async () => {
  const at = await served();
  const directory = controlDirectory(at.home, RUN_ID);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600]);
  await at[Symbol.asyncDispose]();
  expect(await connectToParent({ home: at.home, runId: RUN_ID }, systemClock)).toMatchObject({
    type: "gone",
  });
});

test("a parent that disconnects during a call is CONTROL_LOST (C17)", async () => {
  const at = await served();
  const mode = { type: "passive-final" } as const;
  const watching = at.parent.observe({ method: "observe", ...issue, mode }, () => undefined, never);
  const failure = watching.catch((error: unknown) => error);
  await at.parent.call({ method: "ping" }, never);
  await at[Symbol.asyncDispose]();
  expect(await failure).toMatchObject({ code: "CONTROL_LOST" });
});

/** Returns the parent's answer to raw bytes that a client of afk-triage never sends. */
async function answersTo(at: Served, bytes: Buffer): Promise<unknown[]> {
  const before = process.cwd();
  process.chdir(controlDirectory(at.home, RUN_ID));
  const socket = connect({ path: "rpc.sock", allowHalfOpen: true });
  process.chdir(before);
  const decoder = new FrameDecoder(1_000_000);
  const messages: unknown[] = [];
  socket.write(bytes);
  for await (const chunk of socket) {
    messages.push(...decoder.push(chunk as Buffer));
    socket.end();
  }
  return messages;
}

test("malformed and oversized requests and requests of another version are refused with an error that names the problem (S17)", async () => {
  await using at = await served();
  const violation = (message: RegExp) => ({
    type: "failure",
    error: { code: "CONTROL_VIOLATION", message: expect.stringMatching(message) as string },
  });
  const ask = (message: unknown) => answersTo(at, encodeMessage(message));
  expect(await ask({ v: 2, id: 1, call: { method: "ping" } })).toMatchObject([
    violation(/version 1 .* version 2/),
  ]);
  expect(await ask({ v: 1, id: 1, call: { method: "destroy" } })).toMatchObject([
    violation(/not understood/),
  ]);
  expect(await ask({ hello: 1 })).toMatchObject([violation(/not a request/)]);
  expect(await ask({ v: 1, id: 1, call: { method: "stop", ...issue, force: true } })).toMatchObject([
    violation(/force/),
  ]);
  expect(
    await ask({ v: 1, id: 1, call: { method: "send", ...issue, text: "x".repeat(70_000) } }),
  ).toMatchObject([violation(/text/)]);
  expect(await answersTo(at, Buffer.from("GET / HTTP/1.1\r\n\r\n"))).toMatchObject([violation(/frame/)]);
  expect(await at.parent.call({ method: "ping" }, never)).toMatchObject({ type: "alive" });
});

test("sockets of killed parents are removed, and those of living parents are kept (S17)", async () => {
  await using at = await served();
  const dead = "20250101T000000Z";
  await serveControl(controlDirectory(at.home, dead), {
    service: at.service,
    runId: dead,
    parent: "host/2/2",
    clock: systemClock,
  });
  await removeControlOf(at.home, async (runId) => runId === dead);
  expect(readdirSync(join(at.home, "control"))).toEqual([RUN_ID]);
  expect(rpcSocketPath(controlDirectory(at.home, RUN_ID))).toMatch(/rpc\.sock$/);
});
