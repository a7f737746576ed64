import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
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

/**
 * Returns the isolating command that is chosen in a place, and the directory of a run under it. The run writes a file into HOME.
 */
async function runIn(place: string, home: string): Promise<{ way: string; directory: string }> {
  await mkdir(join(place, "run"), { recursive: true });
  await mkdir(home);
  const script = [
    chooseWayApart("way"),
    'printf "%s\\n" "$way"',
    "cd run",
    `$way sh -c 'echo x > "$${HOME_OF_USER}/left" && cat "$${HOME_OF_USER}/left" > ../seen && pwd'`,
  ].join("\n");
  const env = { PATH: process.env["PATH"], [HOME_OF_RUNS]: place, [HOME_OF_USER]: home };
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", script], { cwd: place, env });
  const [way = "", directory = ""] = stdout.split("\n");
  return { way, directory };
}

test("a run has its own file system view even if the paths of the place and HOME contain spaces (V2)", async () => {
  await using plain = await temporaryDirectory();
  await using spaced = await temporaryDirectory();
  const places = [join(plain.path, "place"), join(spaced.path, "a  place of runs")] as const;
  const homes = [join(plain.path, "home"), join(spaced.path, "my home")] as const;
  const expected = await runIn(places[0], homes[0]);
  const found = await runIn(places[1], homes[1]);
  expect(found).toEqual({ way: expected.way, directory: join(places[1], "run") });
  for (const [index, place] of places.entries()) {
    expect(await readdir(place)).toContain("seen");
    expect(await readdir(homes[index] ?? "")).toEqual(hasOwnFiles(found.way) ? [] : ["left"]);
  }
});
