import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { configurationReference } from "../test/docs/configuration/reference.ts";

/** Writes docs/configuration.md from the schemas. A test fails if that file is out of date. */
await writeFile(join(import.meta.dirname, "../docs/configuration.md"), configurationReference());
