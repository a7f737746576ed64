import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { indexPage } from "../test/docs/behaviour/index-page.ts";
import { readRows, readUses } from "../test/docs/behaviour/rows.ts";

/** Writes docs/behaviour/README.md; with `--check` only says whether it is up to date (exit code 1 when not). */
const ROOT = join(import.meta.dirname, "..");
const FILE = join(ROOT, "docs/behaviour/README.md");
const text = indexPage(readRows(ROOT), readUses(ROOT));

if (process.argv.includes("--check")) {
  const isUpToDate = (await readFile(FILE, "utf8").catch(() => "")) === text;
  if (!isUpToDate)
    console.error("docs/behaviour/README.md is out of date. What to do: npm run docs:behaviour");
  process.exitCode = isUpToDate ? 0 : 1;
} else await writeFile(FILE, text);
