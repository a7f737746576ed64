import { loadBundle } from "../bundle/index.ts";
import type { LaunchedHost } from "../daemon/index.ts";
import { HOST_ARGUMENT } from "./host-argument.ts";

interface Client {
  /** One command; resolves with its exit code. `host` was started for it ahead of time. */
  main: (argv: readonly string[], host: LaunchedHost | null) => Promise<number>;
}

interface Host {
  runHostProcess: () => Promise<void>;
}

// Each side loads only its own half: a client no terminal emulator, a host process no command line.
if (process.argv[2] === HOST_ARGUMENT) void (load("host", "host") as Host).runHostProcess();
else void runCommand(process.argv.slice(2));

async function runCommand(argv: readonly string[]): Promise<void> {
  const host = argv[0] === "create" ? (await import("./launch-early.ts")).launchEarly() : null;
  process.exitCode = await (load("client", argv[0] ?? "") as Client).main(argv, host);
  // A command that took no host, such as one of wrong usage, would wait for it.
  host?.kill();
}

function load(name: string, command: string): unknown {
  return loadBundle({ program: "agent-tty", name }, command);
}
