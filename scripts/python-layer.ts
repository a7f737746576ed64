import { writeFile } from "node:fs/promises";
import { PYTHON_ADAPTER, pythonAdapter } from "../test/support/python-adapter.ts";

/** Bundles the layer that makes a product in Python deaf (src/evidence/python-layer) into the file that is shipped. */
await writeFile(PYTHON_ADAPTER, await pythonAdapter());
