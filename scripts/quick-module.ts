import { writeFile } from "node:fs/promises";
import { COMPILED_FILE, compiledModule } from "../test/support/quick-module.ts";

/** Compiles the filter that runs before the search for secrets (src/triage/quarantine/quick/assembly) to WebAssembly. */
await writeFile(COMPILED_FILE, await compiledModule());
