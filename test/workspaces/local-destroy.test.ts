import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyReap, planReap, type ReadyWorkspace } from "../../src/workspaces/index.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import {
  createdWorkspace,
  localProvider,
  localSubject,
  NAME_PREFIX,
  processesOf,
  UNTIL_STARTED,
} from "./local-subject.ts";

const { signal } = new AbortController();

test("a command still running ends with its Coder workspace (T5)", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  const running = ready.exec("setsid sleep 3000 & touch up; wait", { timeoutMs: 60_000 });
  await until(ready, "up");
  await expect.poll(() => processesOf(workspace.id), UNTIL_STARTED).toContain("sleep 3000 ");
  expect(await subject.provider.destroy(workspace, signal)).toEqual({ type: "destroyed" });
  expect(await processesOf(workspace.id)).toEqual([]);
  expect(await readdir(subject.root)).toEqual([]);
  expect((await running).type).toBe("exited");
});

test("two parents may destroy the same Coder workspace at the same time (T5)", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const results = await Promise.all(
    [subject.provider, subject.secondParent].map((provider) => provider.destroy(workspace, signal)),
  );
  expect(results.map((result) => result.type)).toContain("destroyed");
  expect(results.map((result) => result.type)).not.toContain("stranded");
  expect(await readdir(subject.root)).toEqual([]);
});

test("destroy removes links out of the directory without following them, and also deep and read-only trees (T5)", async () => {
  await using subject = await localSubject();
  await using outside = await temporaryDirectory();
  await writeFile(join(outside.path, "precious"), "kept");
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  await symlink(outside.path, join(ready.directory, "way-out"));
  const depth = "for i in {1..60}; do mkdir $(printf 'd%.0s' {1..100}); cd d*; done; cd /";
  await ready.exec(`mkdir locked; touch locked/file; chmod 555 locked; ${depth}`, { timeoutMs: 20_000 });
  expect(await subject.provider.destroy(workspace, signal)).toEqual({ type: "destroyed" });
  expect(await readFile(join(outside.path, "precious"), "utf8")).toBe("kept");
  expect(await readdir(subject.root)).toEqual([]);
});

test("a lease that is rewritten from inside does not save the Coder workspace from its own parent (S15)", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const ready = await workspace.ready(signal, () => {});
  for (const attack of ["echo '{}' > ../lease.json", "rm ../lease.json; mkfifo ../lease.json"]) {
    await ready.exec(attack, { timeoutMs: 20_000 });
    expect(await subject.provider.leaseState(workspace.id, signal)).toBe("held");
  }
  const [listed] = await subject.secondParent.list(NAME_PREFIX, signal);
  expect(listed).toMatchObject({ name: workspace.name, lease: null, parentState: "unknown" });
  expect(await subject.provider.destroy(workspace, signal)).toEqual({ type: "destroyed" });
  expect(await readdir(subject.root)).toEqual([]);
});

test("the next reap finishes the work of a killed creator or destroyer (T5)", async () => {
  await using subject = await localSubject();
  const half = await createdWorkspace(subject.provider, "another-machine/1/1", 1);
  const directory = join(subject.root, half.name);
  await rename(directory, join(subject.root, `.destroying.${half.name}.${half.id}`));
  await rm(join(subject.root, `.destroying.${half.name}.${half.id}`, "lease.json"));
  await mkdir(join(subject.root, `.creating.${NAME_PREFIX}-2.${"0".repeat(32)}`));
  expect(await subject.provider.leaseState(half.id, signal)).toBe("lost");

  const plan = planReap(await subject.provider.list(NAME_PREFIX, signal), {
    ownParent: subject.parent,
    maxAgeMs: 3_600_000,
  });
  const reaped = await applyReap(plan, subject.provider, signal);
  expect(reaped.map(({ workspace, result }) => `${workspace.name} ${result.type}`).sort()).toEqual([
    `${NAME_PREFIX}-1 destroyed`,
    `${NAME_PREFIX}-2 destroyed`,
  ]);
  expect(await readdir(subject.root)).toEqual([]);
});

test("a directory that this program did not create is neither listed nor destroyed (O23, S15)", async () => {
  await using subject = await localSubject();
  const foreign = join(subject.root, `${NAME_PREFIX}-1`);
  await mkdir(foreign);
  await writeFile(join(foreign, "work-of-a-person"), "unsaved");
  await utimes(foreign, 0, 0);
  expect(await subject.provider.list(NAME_PREFIX, signal)).toEqual([]);
  const { ino } = await stat(foreign);
  for (const id of ["", `inode-${ino}`])
    expect(await subject.provider.destroy({ id, name: `${NAME_PREFIX}-1` }, signal)).toEqual({
      type: "absent",
    });
  expect(await readdir(foreign)).toEqual(["work-of-a-person"]);
});

test("an aborted destroy is stranded with a remedy, its lock is still held, and its own parent reaps it (T5)", async () => {
  await using subject = await localSubject();
  const workspace = await createdWorkspace(subject.provider, subject.parent);
  const result = await subject.provider.destroy(workspace, AbortSignal.abort());
  expect(result).toMatchObject({
    type: "stranded",
    error: { code: "WORKSPACE_STRANDED", details: { id: workspace.id, name: workspace.name } },
  });
  expect(await subject.provider.leaseState(workspace.id, signal)).toBe("held");
  const found = await subject.provider.list(NAME_PREFIX, signal);
  const plan = planReap(found, { ownParent: subject.parent, maxAgeMs: 3_600_000 });
  const [reaped] = await applyReap(plan, subject.provider, signal);
  expect(reaped).toMatchObject({ reason: "stranded", result: { type: "destroyed" } });
});

test("a root that is a link, or that others may write to, is refused (S17)", async () => {
  await using directory = await temporaryDirectory();
  const real = join(directory.path, "real");
  const link = join(directory.path, "link");
  await mkdir(real, { mode: 0o700 });
  await symlink(real, link);
  const open = join(directory.path, "open");
  await mkdir(open);
  await chmod(open, 0o777);
  for (const root of [link, open]) {
    const provider = localProvider(root, "here/1/1");
    await expect(provider.preflight(signal)).rejects.toMatchObject({ code: "LOCAL_PROVIDER_UNAVAILABLE" });
    await expect(createdWorkspace(provider, "here/1/1")).rejects.toMatchObject({
      code: "LOCAL_PROVIDER_UNAVAILABLE",
    });
  }
});

async function until(ready: ReadyWorkspace, file: string): Promise<void> {
  await ready.exec(`until [ -e ${file} ]; do sleep 0.05; done`, { timeoutMs: 20_000 });
}
