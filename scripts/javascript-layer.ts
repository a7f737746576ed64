import { writeFile } from "node:fs/promises";
import { javascriptAdapter, JAVASCRIPT_ADAPTER } from "../test/support/javascript-adapter.ts";

/** Bundles src/evidence/javascript-layer to the program that gives a product its layer. */
await writeFile(JAVASCRIPT_ADAPTER, await javascriptAdapter());
