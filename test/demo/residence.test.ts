import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { cleanDemoResidue, DEMO_REPOSITORY, openDemoResidence } from "../../src/demo/index.ts";
import { createLocalProvider, parentIdentity, workspaceName } from "../../src/workspaces/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const never = new AbortController().signal;
const clock = systemClock;
const ids = systemIds(clock);

test("a demo's directory names its owner; after the demo has finished, only its recordings stay", async () => {
  await using root = await temporaryDirectory();
  const demoRoot = join(root.path, "demo");
  {
    await using residence = await openDemoResidence({ demoRoot, name: "20260101T000000Z", clock });
    const owner = await readOwner(residence.directory);
    expect(owner).toMatchObject({ pid: process.pid, parent: await parentIdentity(), finishedAt: null });
    await writeFile(join(residence.scratch, "rubbish"), "");
    await writeFile(join(residence.home, "a.cast"), "");
    await residence.finish();
  }
  expect((await readdir(demoRoot, { recursive: true })).sort()).toEqual([
    "20260101T000000Z",
    "20260101T000000Z/home",
    "20260101T000000Z/home/a.cast",
    "20260101T000000Z/owner.json",
  ]);
});

test("a demo that does not finish removes its directory", async () => {
  await using root = await temporaryDirectory();
  {
    await using residence = await openDemoResidence({ demoRoot: root.path, name: "20260101T000000Z", clock });
    await writeFile(join(residence.home, "a.cast"), "");
  }
  expect(await readdir(root.path)).toEqual([]);
});

test("two demos never share a directory", async () => {
  await using root = await temporaryDirectory();
  const request = { demoRoot: root.path, name: "20260101T000000Z", clock };
  await using first = await openDemoResidence(request);
  await expect(openDemoResidence(request)).rejects.toMatchObject({ code: "DEMO_DIRECTORY_TAKEN" });
  expect(await readdir(root.path)).toEqual(["20260101T000000Z"]);
  expect(await readOwner(first.directory)).toMatchObject({ finishedAt: null });
});

test("the next demo removes what killed demos left, including their Coder workspaces, and leaves running demos alone (T5)", async () => {
  await using root = await temporaryDirectory();
  const demoRoot = root.path;
  const dead = await deadIdentity();
  const killed = await abandon(demoRoot, "20260101T000000Z", dead);
  const lease = { runId: "20260101T000000Z", issueKey: `${DEMO_REPOSITORY}#1`, parent: dead };
  const workspaces = join(killed, "home/workspaces");
  const provider = createLocalProvider({ root: workspaces, clock, ids, parent: dead });
  const name = workspaceName({ repo: DEMO_REPOSITORY, number: 1, prefix: null });
  expect(await provider.create({ name, lease }, never)).toMatchObject({ type: "created" });
  for (const stage of ["new", "old"]) {
    await mkdir(join(demoRoot, `.${stage}-${encodeURIComponent(dead)}@20260101T000001Z`, "home"), {
      recursive: true,
    });
  }
  await mkdir(join(demoRoot, "somebody-elses"));
  await using alive = await openDemoResidence({ demoRoot, name: "20260101T000002Z", clock });

  const cleaned = await cleanDemoResidue({ demoRoot, clock, ids }, never);
  expect(cleaned.stranded).toEqual([]);
  expect(cleaned.removed).toHaveLength(3);
  expect((await readdir(demoRoot)).sort()).toEqual(["20260101T000002Z", "somebody-elses"]);
  expect(existsSync(alive.scratch)).toBe(true);
});

test("the latest three finished demos keep their recordings", async () => {
  await using root = await temporaryDirectory();
  const demoRoot = root.path;
  for (const second of [1, 2, 3, 4, 5]) {
    await using residence = await openDemoResidence({ demoRoot, name: `2026010${second}T000000Z`, clock });
    await residence.finish();
  }
  const cleaned = await cleanDemoResidue({ demoRoot, clock, ids }, never);
  expect(cleaned.removed).toEqual(["20260101T000000Z", "20260102T000000Z"]);
  expect(await readdir(demoRoot)).toHaveLength(3);
});

test("cleaning does nothing if there has never been a demo", async () => {
  await using root = await temporaryDirectory();
  const demoRoot = join(root.path, "demo");
  expect(await cleanDemoResidue({ demoRoot, clock, ids }, never)).toEqual({ removed: [], stranded: [] });
  expect(existsSync(demoRoot)).toBe(false);
});

/** Creates the directory of a demo in the state it has when its process is killed. */
async function abandon(demoRoot: string, name: string, parent: string): Promise<string> {
  await using residence = await openDemoResidence({ demoRoot, name: "elsewhere", clock });
  const owner = await readOwner(residence.directory);
  await writeFile(join(residence.directory, "owner.json"), JSON.stringify({ ...owner, parent }));
  await rename(residence.directory, join(demoRoot, name));
  return join(demoRoot, name);
}

async function readOwner(directory: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(directory, "owner.json"), "utf8")) as Record<string, unknown>;
}

/** Returns the identity of a process that really ran and has ended. */
async function deadIdentity(): Promise<string> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  await once(child, "spawn");
  const identity = await parentIdentity(child.pid);
  child.kill("SIGKILL");
  await once(child, "exit");
  return identity;
}
