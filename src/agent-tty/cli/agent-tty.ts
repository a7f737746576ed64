import { HOST_ARGUMENT } from "./host-argument.ts";
import { loadClient } from "./load-client.ts";

// Each side loads only its own half: a client no terminal emulator, a host process no command line.
if (process.argv[2] === HOST_ARGUMENT)
  void import("../daemon/index.ts").then(({ runHostProcess }) => runHostProcess());
else
  void loadClient()
    .main(process.argv.slice(2))
    .then((exitCode) => {
      process.exitCode = exitCode;
    });
