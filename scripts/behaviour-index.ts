import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { indexPage } from "../test/docs/behaviour/index-page.ts";
import { readRows, readUses } from "../test/docs/behaviour/rows.ts";

/** Writes docs/behaviour/README.md. A test fails if that file is out of date. */
const ROOT = join(import.meta.dirname, "..");
const FILE = join(ROOT, "docs/behaviour/README.md");
await writeFile(FILE, indexPage(readRows(ROOT), readUses(ROOT)));
