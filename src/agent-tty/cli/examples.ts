import type { Command } from "commander";

/** The example at the end of each command's help. `$ID` is the id that `create` printed. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "agent-tty": "agent-tty create -- bash",
  list: "agent-tty list --all --json",
  inspect: 'agent-tty inspect "$ID" --json',
  snapshot: 'agent-tty snapshot "$ID" --format structured --include-cells --json',
  screenshot: 'agent-tty screenshot "$ID" --theme light --show-cursor',
  record: 'agent-tty record export "$ID" --format gif --out session.gif',
  "record export": 'agent-tty record export "$ID" --format gif --out session.gif',
  create: "agent-tty create --cols 100 --rows 30 --env LANG=C.UTF-8 -- bash",
  restart: 'agent-tty restart "$ID" --idle-timeout 30m',
  run: "agent-tty run \"$ID\" 'npm test' --timeout 60000 --check",
  type: "agent-tty type \"$ID\" ':wq'",
  paste: 'agent-tty paste "$ID" --file notes.txt',
  "send-keys": 'agent-tty send-keys "$ID" Ctrl+C Up Enter',
  mark: "agent-tty mark \"$ID\" 'tests begin'",
  resize: 'agent-tty resize "$ID" --cols 132 --rows 43',
  signal: 'agent-tty signal "$ID" SIGINT',
  wait: 'agent-tty wait "$ID" --text ready --screen-stable-ms 300 --timeout 10000',
  batch: `agent-tty batch "$ID" '[{"type":"ls"},{"sendKeys":["Enter"]},{"wait":{"text":"README"}}]'`,
  attach: 'agent-tty attach "$ID" --read-only',
  dashboard: "agent-tty dashboard",
  destroy: 'agent-tty destroy "$ID" --force',
  gc: "agent-tty gc --dry-run --older-than 7d",
  doctor: "agent-tty doctor --json",
  home: "agent-tty home list",
  "home list": "agent-tty home list --json",
  "home forget": "agent-tty home forget /tmp/old-home",
  skills: "agent-tty skills get agent-tty",
  "skills list": "agent-tty skills list --json",
  "skills get": "agent-tty skills get agent-tty",
  "skills path": "agent-tty skills path agent-tty",
  play: "agent-tty play session.cast --speed 2 --idle-limit 1",
  follow: 'agent-tty follow "$ID" --from-seq 100',
  version: "agent-tty version",
};

/** Adds the example to each command's help. Throws for a command without an example, which is a bug. */
export function addExamples(program: Command): void {
  for (const { command, path } of commandPaths(program, "")) {
    const example = EXAMPLES[path === "" ? program.name() : path];
    if (example === undefined) throw new Error(`${path} has no example`);
    command.addHelpText("after", `\nExample:\n  ${example}`);
  }
}

/** Returns the command and all its subcommands. `path` is what is typed after the program's name: "record export". */
export function commandPaths(command: Command, path: string): { command: Command; path: string }[] {
  const children = command.commands.flatMap((child) =>
    commandPaths(child, path === "" ? child.name() : `${path} ${child.name()}`),
  );
  return [{ command, path }, ...children];
}
