import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CoderProviderOptions } from "../../src/workspaces/index.ts";
import {
  type CoderStandIn,
  created,
  deployment,
  failureOf,
  HAS_TMUX,
  never,
  openStandInSession,
  ready,
  request,
  terminalRelay,
} from "../support/coder/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const NAME = "product-triage-142";

test.each(["file", "command"] as const)(
  "a token that expires during a run is read again from its %s, by requests and by coder ssh (coder failure 7)",
  async (type) => {
    await using stage = await expiring(type);
    const { standIn, provider } = stage;
    const shell = await ready(provider);
    await stage.renew();
    expect(await shell.exec("echo once >>~/log; cat ~/log", { timeoutMs: 20_000 })).toMatchObject({
      type: "exited",
      exitCode: 0,
    });
    await stage.renew();
    expect(await Promise.all([1, 2, 3].map(() => provider.leaseState(shell.id, never)))).toEqual([
      "held",
      "held",
      "held",
    ]);
    await stage.renew();
    await created(provider, request("product-triage-143"));
    await stage.renew();
    expect(await provider.destroy({ id: shell.id, name: NAME }, never)).toEqual({ type: "destroyed" });
    expect(standIn.liveNames()).toEqual(["product-triage-143"]);
  },
);

test("the first token may also come from the token source (coder failure 7)", async () => {
  await using stage = await expiring("command", { token: "" });
  await created(stage.provider);
  expect(stage.standIn.liveNames()).toEqual([NAME]);
});

test("a token read while running is reported, so that it is watched as a secret (S25)", async () => {
  const heard: string[] = [];
  await using stage = await expiring("command", { token: "", onToken: (token) => heard.push(token) });
  await created(stage.provider);
  expect(heard).toEqual([stage.standIn.token]);
});

test("if the token source returns nothing new, the call fails as logged out, without the token in its message (coder failure 7)", async () => {
  await using stage = await expiring("file");
  const before = stage.standIn.token;
  await created(stage.provider);
  stage.standIn.rotateToken();
  const failure = await failureOf(stage.provider.create(request("product-triage-7"), never));
  expect(failure).toMatchObject({ code: "CODER_LOGGED_OUT" });
  expect(JSON.stringify(failure)).not.toContain(before);
});

test("a deletion waits for a token that is renewed from outside, and what is not deleted by then is stranded (coder failure 7)", async () => {
  await using stage = await expiring("file", { timings: { deleteLimitMs: 20_000, deleteRetryMs: 20 } });
  const { id } = await created(stage.provider);
  stage.standIn.rotateToken();
  const refusals = stage.standIn.requests.length;
  const deletion = stage.provider.destroy({ id, name: NAME }, never);
  await expect.poll(() => stage.standIn.requests.length).toBeGreaterThan(refusals + 4);
  await writeFile(stage.path, stage.standIn.token);
  expect(await deletion).toEqual({ type: "destroyed" });
});

test.skipIf(!HAS_TMUX).each(["file", "command"] as const)(
  "a held terminal is attached again with the token that was renewed from its %s (coder failure 7, T12)",
  async (type) => {
    await using stage = await expiring(type, { terminalRelay: terminalRelay() });
    const shell = await ready(stage.provider);
    await using session = await openStandInSession(shell, stage.directory);
    const patient = { callerTimeoutMs: 25_000 };
    await session.run("kept=inside", patient);
    await stage.renew();
    expect(await stage.provider.leaseState(shell.id, never)).toBe("held");
    stage.standIn.dropSessions();
    const result = await session.run("echo $kept", patient);
    expect(await session.readOutput(result.output, 100)).toContain("inside");
  },
);

interface Expiring extends AsyncDisposable {
  standIn: CoderStandIn;
  provider: Awaited<ReturnType<typeof deployment>>["provider"];
  path: string;
  directory: string;
  /** Ends the old token; the source returns the next one. */
  renew: () => Promise<void>;
}

async function expiring(
  type: "file" | "command",
  options: Partial<CoderProviderOptions> = {},
): Promise<Expiring> {
  const directory = await temporaryDirectory();
  const path = join(directory.path, "token");
  const tokenSource = type === "file" ? { type, path } : { type, commandLine: `cat '${path}'` };
  const { standIn, provider } = await deployment({}, { tokenSource, ...options });
  await writeFile(path, `${standIn.token}\n`);
  return {
    standIn,
    provider,
    path,
    directory: directory.path,
    renew: () => writeFile(path, `${standIn.rotateToken()}\n`),
    [Symbol.asyncDispose]: async () => {
      await standIn[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
