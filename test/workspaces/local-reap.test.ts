import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { applyReap, planReap } from "../../src/workspaces/index.ts";
import { localSubject, NAME_PREFIX, processesOf, UNTIL_STARTED } from "./local-subject.ts";

const { signal } = new AbortController();

test("after the parent's SIGKILL the next reap leaves no process and no directory (T5)", async () => {
  await using subject = await localSubject();
  const program = fileURLToPath(new URL("./local-killed-parent.ts", import.meta.url));
  const parent = spawn(process.execPath, ["--import", "tsx", program, subject.root], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(parent, "exit");
  const [id] = (await once(createInterface(parent.stdout), "line")) as [string];
  const reap = async () => {
    const facts = await subject.provider.list(NAME_PREFIX, signal);
    const plan = planReap(facts, { ownParent: subject.parent, maxAgeMs: 3_600_000 });
    return (await applyReap(plan, subject.provider, signal)).map(({ reason, result }) => [
      reason,
      result.type,
    ]);
  };
  // A living parent keeps its Coder workspaces.
  expect(await reap()).toEqual([]);

  parent.kill("SIGKILL");
  await exited;
  await expect.poll(() => processesOf(id), UNTIL_STARTED).toContain("sleep 3000 ");
  expect(await reap()).toEqual([["parent-dead", "destroyed"]]);
  expect(await processesOf(id)).toEqual([]);
  expect(await readdir(subject.root)).toEqual([]);
});
