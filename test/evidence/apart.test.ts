import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import {
  chooseWayApart,
  hasOwnFiles,
  HOME_OF_RUNS,
  HOME_OF_USER,
} from "../../src/evidence/pipeline/apart.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Leaves a file in HOME. */
const LEAVES_A_FILE = `echo x > "$${HOME_OF_USER}/left" && cat "$${HOME_OF_USER}/left" > ../seen`;

/** Returns the isolating command that is chosen in a place, and the output of a run under it, which is one line of sh. */
async function runIn(
  place: string,
  home: string,
  { line = `${LEAVES_A_FILE} && pwd`, path = process.env["PATH"] ?? "" } = {},
): Promise<{ way: string; output: string }> {
  await mkdir(join(place, "run"), { recursive: true });
  await mkdir(home);
  const script = [chooseWayApart("way"), 'printf "%s\\n" "$way"', "cd run", `$way sh -c '${line}'`].join(
    "\n",
  );
  const env = { PATH: path, [HOME_OF_RUNS]: place, [HOME_OF_USER]: home };
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", script], { cwd: place, env });
  const [way = ""] = stdout.split("\n");
  return { way, output: stdout.slice(way.length + 1) };
}

/** Writes a `mount` that runs `lines`, with the true program in $real, and returns the PATH on which it comes first. */
async function pathWithMount(directory: string, lines: string): Promise<string> {
  const path = process.env["PATH"] ?? "";
  const { stdout } = await promisify(execFile)("sh", ["-c", "command -v mount"]);
  await writeFile(join(directory, "mount"), `#!/bin/sh\nreal=${stdout.trim()}\n${lines}\n`);
  await chmod(join(directory, "mount"), 0o755);
  return `${directory}:${path}`;
}

test("a run has its own file system view even if the paths of the place and HOME contain spaces (V2)", async () => {
  await using plain = await temporaryDirectory();
  await using spaced = await temporaryDirectory();
  const places = [join(plain.path, "place"), join(spaced.path, "a  place of runs")] as const;
  const homes = [join(plain.path, "home"), join(spaced.path, "my home")] as const;
  const expected = await runIn(places[0], homes[0]);
  const found = await runIn(places[1], homes[1]);
  expect(found).toEqual({ way: expected.way, output: `${join(places[1], "run")}\n` });
  for (const [index, place] of places.entries()) {
    expect(await readdir(place)).toContain("seen");
    expect(await readdir(homes[index] ?? "")).toEqual(hasOwnFiles(found.way) ? [] : ["left"]);
  }
});

test.each([
  ["every mount but those of the run is read-only after two calls of mount", ["-t tmpfs", "-a -c"], ""],
  [
    "every mount but those of the run is read-only even if mount takes only the copies from a table",
    ["-t tmpfs", "-a -c", "-t tmpfs", "-o remount,bind,ro"],
    'case "$*" in "-a "*) grep -e overlay -e tmpfs "$4" > "$4.new" && mv "$4.new" "$4" ;; esac\n',
  ],
])("%s (V2)", async (_, calls, lines) => {
  await using directory = await temporaryDirectory();
  const [place, home] = [join(directory.path, "place"), join(directory.path, "home")];
  // The place's directory is the only one that the calls before the first mount and after the last one share.
  const logged = `echo "$*" >> "$${HOME_OF_RUNS}/log"\n${lines}exec "$real" "$@"`;
  const path = await pathWithMount(directory.path, logged);
  const line = "echo the run >> ../log; cat /proc/self/mounts";
  const { way, output } = await runIn(place, home, { line, path });
  if (!hasOwnFiles(way)) return;
  const called = (await readFile(join(place, "log"), "utf8")).split("the run\n")[0]?.trim().split("\n") ?? [];
  // The first half are the calls that try the way.
  const own = called.slice(called.length / 2).map((call) => call.split(" ").slice(0, 2).join(" "));
  expect(own.slice(0, calls.length)).toEqual(calls);
  expect(calls).toEqual(expect.arrayContaining(own));
  const ours = new Set(["/dev/shm", "/dev/pts", "/tmp", "/var/tmp", "/usr/local", place, home]);
  const others = output
    .split("\n")
    .map((mount) => mount.split(" "))
    .filter(([, target = "", , options = ""]) => options.startsWith("rw") && !ours.has(target))
    .filter(([, target = ""]) => !/^\/(?:proc|sys)\b/.test(target));
  expect(others).toEqual([]);
});
