#!/usr/bin/env node
import { HOST_ARGUMENT } from "./host-argument.ts";

// Each side loads only its own half: a client no terminal emulator, a host process no command line.
if (process.argv[2] === HOST_ARGUMENT) {
  const { runHostProcess } = await import("../daemon/index.ts");
  await runHostProcess();
} else {
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2));
}
