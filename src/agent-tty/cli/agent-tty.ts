import { loadBundle } from "../bundle/index.ts";
import type { LaunchedHost } from "../daemon/index.ts";
import { HOST_ARGUMENT } from "./host-argument.ts";

interface Client {
  /** Runs one command; resolves with its exit code. `host` is a host process that was started for it ahead of time. */
  main: (argv: readonly string[], host: LaunchedHost | null) => Promise<number>;
}

interface Host {
  runHostProcess: () => Promise<void>;
}

// Client and host load only what they need: a client does not load the terminal emulator, and a host process does not load the
// command line parser.
if (process.argv[2] === HOST_ARGUMENT) void (load("host", "host") as Host).runHostProcess();
else void runCommand(process.argv.slice(2));

async function runCommand(argv: readonly string[]): Promise<void> {
  const host = argv[0] === "create" ? (await import("./launch-early.ts")).launchEarly() : null;
  process.exitCode = await (load("client", argv[0] ?? "") as Client).main(argv, host);
  // A host process that the command did not take, for example after a usage error, would keep this process waiting.
  host?.kill();
}

function load(name: string, command: string): unknown {
  return loadBundle({ program: "agent-tty", name }, command);
}
