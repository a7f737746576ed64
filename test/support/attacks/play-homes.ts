import { chmod, chown, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuiltProgram } from "../batch/program.ts";
import { openProgramStage } from "../batch/program-stage.ts";
import type { Verdict } from "./judge.ts";

/** S17: creates a hostile object at the home's path. `treasure` is a directory that does not belong to the home. */
type Arrange = (home: string, treasure: string) => Promise<void>;

const inside =
  (name: string, target = ""): Arrange =>
  async (home, treasure) => {
    await mkdir(home, { mode: 0o700 });
    await symlink(join(treasure, target), join(home, name));
  };

const homes: Record<string, Arrange> = {
  "a link to somebody's directory": (home, treasure) => symlink(treasure, home),
  "a link to nowhere": (home) => symlink("/nowhere/at/all", home),
  "a file": (home) => writeFile(home, "mine"),
  "a directory that everybody may write to": async (home) => {
    await mkdir(home);
    await chmod(home, 0o777);
  },
  "a directory of somebody else": async (home) => {
    await mkdir(home, { mode: 0o700 });
    // Without the right to change the owner, the directory stays ours and is opened to everybody instead.
    await chown(home, 12_345, 12_345).catch(() => chmod(home, 0o777));
  },
  "a home whose store is a link": inside("store.sqlite", "file"),
  "a home whose runs are a link": inside("runs"),
  "a home whose Coder workspaces are a link": inside("workspaces"),
  "a home whose Sessions are a link": inside("agent-tty"),
  "a home whose reproductions are a link": inside("reproductions"),
  "a home whose answers of GitHub are a link": inside("github-responses"),
};

/** Starts the real program with each hostile home; it must refuse, and leave the treasure and the issue unchanged. */
export async function playHomes(program: BuiltProgram): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [name, arrange] of Object.entries(homes)) {
    await using stage = await openProgramStage(program);
    await stage.open("proposing needs-info");
    const [home, treasure] = [join(stage.directory, "a-home"), join(stage.directory, "treasure")];
    await mkdir(treasure);
    await writeFile(join(treasure, "file"), "precious");
    await arrange(home, treasure);
    const { exitCode, stderr } = await stage.start(["run"], { AFK_TRIAGE_HOME: home });
    const left = await readdir(treasure);
    const faults = [
      ...(exitCode === 4 ? [] : [`exit code ${exitCode}: ${stderr.slice(-200)}`]),
      ...(/(?:UNSAFE|UNWRITABLE|UNAVAILABLE): /.test(stderr) ? [] : ["it does not say what is wrong"]),
      ...(left.join() === "file" && (await readFile(join(treasure, "file"), "utf8")) === "precious"
        ? []
        : [`the treasure holds ${left.join(", ")}`]),
      ...((await stage.comments(1)).length === 0 ? [] : ["it published"]),
    ];
    verdicts.push({
      provider: null,
      row: "S17",
      name,
      expected: "refused",
      seen: `exit code ${exitCode}`,
      faults,
    });
  }
  return verdicts;
}
