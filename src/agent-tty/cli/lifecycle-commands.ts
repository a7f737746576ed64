import type { Command } from "commander";
import { openCommandHome } from "./command-home.ts";
import { durationMs } from "./usage.ts";
import type { Finish } from "./report.ts";
import type { StopSignal } from "./stop-signal.ts";

/** Every command accepts --home, so that a wrapper can always add it. */
const HOME_IGNORED = "accepted, as by every command, but not used here";

type AddCommand = (name: string, description: string) => Command;

/** Adds the commands that act on a home and its Sessions from outside, and on the installation itself. */
export function addLifecycleCommands(add: AddCommand, signal: StopSignal, finish: Finish): void {
  add("gc", "remove ended Sessions, and leftovers of failed creates")
    .option("--dry-run", "only report what would be removed")
    .option(
      "--older-than <duration>",
      "only Sessions that have not changed for this long, such as 12h or 7d",
      "0",
    )
    .action(async (options: { home?: string; dryRun?: boolean; olderThan: string }) => {
      const olderThanMs = durationMs("--older-than", options.olderThan);
      const { gc } = await import("./commands/gc.ts");
      const home = await openCommandHome(options.home);
      finish("gc", await gc(home, { isDryRun: options.dryRun ?? false, olderThanMs, signal: signal() }));
    });

  add("doctor", "test everything that a Session needs; exit code 1 if something is missing").action(
    async (options: { home?: string }) => {
      const { doctor } = await import("./commands/doctor.ts");
      finish("doctor", await doctor(options.home));
    },
  );
}

/** Adds `home list` and `home forget`. `group` creates a command that only has subcommands. */
export function addHomeCommands(group: AddCommand, finish: Finish): void {
  const home = group("home", "list or forget the homes that commands have used");
  home
    .command("list")
    .description("every home, with the number of its Sessions")
    .option("--home <dir>", HOME_IGNORED)
    .option("--json", "one JSON document on stdout")
    .action(async () => {
      const { homeList } = await import("./commands/home.ts");
      finish("home list", await homeList());
    });
  home
    .command("forget <dir>")
    .description("remove a home from the list; its Sessions are kept")
    .option("--home <dir>", HOME_IGNORED)
    .option("--json", "one JSON document on stdout")
    .action(async (directory: string) => {
      const { homeForget } = await import("./commands/home.ts");
      finish("home forget", await homeForget(directory));
    });
}

/** Declares `skills list`, `skills get` and `skills path`; their code is loaded when one of them runs. */
export function addSkillCommands(group: AddCommand, finish: Finish): void {
  const skills = group("skills", "how to use this program, in the agents' skill format");
  const add = (name: string, description: string): Command =>
    skills
      .command(name)
      .description(description)
      .option("--home <dir>", HOME_IGNORED)
      .option("--json", "one JSON document on stdout");
  add("list", "the skills").action(async () => {
    const { skillsList } = await import("./commands/skills.ts");
    finish("skills list", await skillsList());
  });
  add("get <name>", "the text of one skill").action(async (name: string) => {
    const { skillsGet } = await import("./commands/skills.ts");
    finish("skills get", await skillsGet(name));
  });
  add("path <name>", "the directory of one skill").action(async (name: string) => {
    const { skillsPath } = await import("./commands/skills.ts");
    finish("skills path", await skillsPath(name));
  });
}
