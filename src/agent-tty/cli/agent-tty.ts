import { HOST_ARGUMENT } from "./host-argument.ts";
import { loadBundle } from "./load-bundle.ts";

// Each side loads only its own half: a client no terminal emulator, a host process no command line.
if (process.argv[2] === HOST_ARGUMENT) void loadBundle("host", "host").runHostProcess();
else
  void loadBundle("client", process.argv[2] ?? "")
    .main(process.argv.slice(2))
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
