import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { commandLineOf, createdWorkspace, localSubject, processesOf } from "./local-subject.ts";
import { providerContract } from "./provider-contract.ts";

const { signal } = new AbortController();

/** A machine that refuses new namespaces, as most containers do. */
describe("without pid namespaces", () => {
  const path = process.env["PATH"];
  let programs: Awaited<ReturnType<typeof temporaryDirectory>>;
  beforeAll(async () => {
    programs = await temporaryDirectory();
    const refusing = join(programs.path, "unshare");
    await writeFile(
      refusing,
      '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2\nexit 1\n',
    );
    await chmod(refusing, 0o755);
    process.env["PATH"] = [programs.path, path].join(delimiter);
  });
  afterAll(async () => {
    process.env["PATH"] = path;
    await programs[Symbol.asyncDispose]();
  });

  providerContract("the local provider", localSubject);

  test("the provider reports missing isolation with the reason (S8)", async () => {
    await using subject = await localSubject();
    const { warnings } = await subject.provider.preflight(signal);
    expect(warnings).toEqual([expect.stringMatching(/share this machine's process table.*not permitted/i)]);
    expect(subject.processes).toBe("shared");
  });

  test("destroy ends processes that detached themselves, keep forking or wiped their environment (T5, S11)", async () => {
    await using subject = await localSubject();
    const workspace = await createdWorkspace(subject.provider, subject.parent);
    const ready = await workspace.ready(signal, () => {});
    const relay = "touch relay-runs; sleep 0.01; setsid nohup bash relay </dev/null >/dev/null 2>&1 &\n";
    await ready.exec("cat > relay", { stdin: Buffer.from(relay), timeoutMs: 20_000 });
    const background = [
      "setsid nohup sleep 3001 </dev/null >/dev/null 2>&1 &",
      "env -i setsid sleep 3002 </dev/null >/dev/null 2>&1 &",
      "(cd / && exec setsid sleep 3003 </dev/null >/dev/null 2>&1) &",
      "bash relay",
      "until [ -e relay-runs ] && [ $(pgrep -fc '^sleep 300[123]$') = 3 ]; do sleep 0.05; done",
      "pgrep -f '^sleep 300[123]$' | sort",
    ].join("\n");
    const started = await ready.exec(background, { timeoutMs: 20_000 });
    if (started.type !== "exited") throw new Error(`the background was not started: ${started.type}`);
    const pids = Buffer.from(started.stdout).toString().trim().split("\n").map(Number);
    expect(pids).toHaveLength(3);

    expect(await subject.provider.destroy(workspace, signal)).toEqual({ type: "destroyed" });
    expect(await processesOf(workspace.id)).toEqual([]);
    expect(await Promise.all(pids.map(commandLineOf))).toEqual(["", "", ""]);
  });
});
