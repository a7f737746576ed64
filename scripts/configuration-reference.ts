import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { configurationReference } from "../test/docs/configuration/reference.ts";

/** Writes docs/configuration.md from the schemas; a test fails when that is due. */
await writeFile(join(import.meta.dirname, "../docs/configuration.md"), configurationReference());
