import { HOST_ARGUMENT } from "./host-argument.ts";
import { loadBundle } from "./load-bundle.ts";

// Each side loads only its own half: a client no terminal emulator, a host process no command line.
if (process.argv[2] === HOST_ARGUMENT) void loadBundle("host", "host").runHostProcess();
else void runCommand(process.argv.slice(2));

async function runCommand(argv: readonly string[]): Promise<void> {
  const host = argv[0] === "create" ? (await import("./launch-early.ts")).launchEarly() : null;
  process.exitCode = await loadBundle("client", argv[0] ?? "").main(argv, host);
  // A command that took no host, such as one of wrong usage, would wait for it.
  host?.kill();
}
