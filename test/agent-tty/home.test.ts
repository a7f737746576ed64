import { mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openHome, replaySession } from "agent-tty";
import { storageRefusal, systemClock, systemIds } from "agent-tty/kit";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { engine } from "./engine-fixture.ts";

const clock = systemClock;
const ids = systemIds(clock);

test("only the user can access the home, its directories and files (S17)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["true"] });
  await session.exited;
  const paths = await readdir(started.home.directory, { recursive: true });
  for (const path of ["", ...paths]) {
    const stats = await stat(join(started.home.directory, path));
    expect([path, (stats.mode & 0o777).toString(8)]).toEqual([path, stats.isDirectory() ? "700" : "600"]);
  }
  expect(paths).toContain(join("sessions", session.id, "events.jsonl"));
});

test("a home that others could read is made private (S17)", async () => {
  await using root = await temporaryDirectory();
  const directory = join(root.path, "open");
  await mkdir(directory, { mode: 0o755 });
  await openHome({ directory, clock, ids });
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

test("a symbolic link or a file as home is refused (S17)", async () => {
  await using root = await temporaryDirectory();
  const check = async (directory: string): Promise<void> =>
    expect(openHome({ directory, clock, ids })).rejects.toMatchObject({ code: "HOME_REFUSED" });
  await symlink(root.path, join(root.path, "link"));
  await check(join(root.path, "link"));
  await writeFile(join(root.path, "file"), "");
  await check(join(root.path, "file"));
});

test("the manifest contains the names of environment variables but not their values (A1)", async () => {
  await using started = await engine();
  const env = { ...started.env, SECRET_TOKEN: "value-of-the-secret" };
  const session = await started.create({ command: ["true"], env, name: "named" });
  await session.exited;
  const text = await readFile(join(session.directory, "session.json"), "utf8");
  expect(text).not.toContain("value-of-the-secret");
  const manifest = await started.home.readManifest(session.id);
  expect(manifest).toMatchObject({ name: "named", status: "exited", exit: { type: "code", code: 0 } });
  expect(manifest.environmentNames).toContain("SECRET_TOKEN");
});

test("an incomplete manifest is reported, and other Sessions are still listed (A1)", async () => {
  await using started = await engine();
  const [whole, torn] = [
    await started.create({ command: ["true"] }),
    await started.create({ command: ["true"] }),
  ];
  await Promise.all([whole.exited, torn.exited]);
  await truncate(join(torn.directory, "session.json"), 40);
  const readings = await started.home.listManifests();
  expect(readings).toContainEqual(expect.objectContaining({ type: "unreadable", sessionId: torn.id }));
  expect(readings.filter((reading) => reading.type === "read")).toHaveLength(1);
  await expect(started.home.readManifest(torn.id)).rejects.toMatchObject({ code: "SESSION_UNREADABLE" });
  await expect(started.home.readManifest(ids.ulid())).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(started.home.readManifest("../../etc")).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
});

test("a missing Event Log is reported as unreadable, not as a defect (A6, A7)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["true"] });
  await session.exited;
  await session[Symbol.asyncDispose]();
  await rm(join(session.directory, "events.jsonl"));
  const refused = { code: "SESSION_UNREADABLE", message: expect.stringContaining("events.jsonl") };
  await expect(replaySession(started.home, session.id)).rejects.toMatchObject(refused);
});

test("destroy ends the child even if the home is gone, and reports that (A1)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["cat"] });
  await rm(session.directory, { recursive: true });
  await expect(session.destroy()).rejects.toMatchObject({ code: "MANIFEST_NOT_WRITTEN" });
  expect(await session.exited).toEqual({ type: "signal", signal: "SIGHUP" });
});

test("a manifest on a disk without room for a new file takes the place of the old one (A2)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["true"] });
  await session.exited;
  const path = join(session.directory, "session.json");
  const { directory, clock } = started.home;
  // No file can have a name of this length.
  const full = await openHome({ directory, clock, ids: { ...ids, hex: () => "f".repeat(300) } });
  const manifest = await full.readManifest(session.id);
  const { size } = await stat(path);
  for (const failure of ["the disk is full: ".repeat(30), "no room"]) {
    await full.writeManifest({ ...manifest, status: "failed", failure });
    expect(await full.readManifest(session.id)).toEqual({ ...manifest, status: "failed", failure });
    expect((await stat(path)).size).toBe(size);
  }
  const long = full.writeManifest({ ...manifest, failure: "x".repeat(5_000) });
  await expect(long).rejects.toMatchObject({ code: "MANIFEST_NOT_WRITTEN" });
  expect(await full.readManifest(session.id)).toMatchObject({ failure: "no room" });
});

test("a Session whose host is gone is read as failed, with the file of the error that ended the host if there is one (A2)", async () => {
  await using started = await engine();
  const session = await started.create({ command: ["cat"] });
  const path = join(session.directory, "session.json");
  const manifest = await readFile(path, "utf8");
  await writeFile(path, manifest.replace(/"hostStartTicks": "\d+"/, '"hostStartTicks": "1"'));
  expect(await started.home.readManifest(session.id)).toMatchObject({
    status: "failed",
    failure: "the host process is gone",
  });
  const crash = join(session.directory, "host-crash.txt");
  await writeFile(crash, "Error: a defect\n");
  expect(await started.home.readManifest(session.id)).toMatchObject({
    status: "failed",
    failure: `the host process ended with an error of its own, which is in ${crash}`,
  });
});

test("EACCES on a file is a storage refusal; EPERM on a signal or socket is not (A1)", () => {
  const refusal = (code: string, more: object): unknown =>
    storageRefusal(Object.assign(new Error(`${code}: permission denied`), { code, ...more }));
  for (const code of ["EACCES", "EPERM", "ENOTDIR", "EROFS"])
    expect(refusal(code, { path: "/srv/home" })).toMatchObject({
      code: "STORAGE_REFUSED",
      details: { path: "/srv/home" },
    });
  expect(refusal("EPERM", { syscall: "kill" })).toBeNull();
  expect(refusal("ENOENT", { path: "/srv/home" })).toBeNull();
});
