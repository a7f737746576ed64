import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { ROOT } from "./workflow-files.ts";

type LanguageService = typeof import("@actions/languageservice/validate") &
  typeof import("@actions/languageservice/log") &
  typeof import("@actions/languageservice/utils/workflow-cache");

/** Loads the language service as a bundle, because its modules import JSON without the attribute that Node requires. */
export async function loadLanguageService(): Promise<LanguageService> {
  const doors = ["validate", "log", "utils/workflow-cache"];
  await using directory = await temporaryDirectory();
  const outfile = join(directory.path, "language-service.cjs");
  // Uses the command rather than the library, which keeps a process running.
  const esbuild = join(ROOT, "node_modules", ".bin", "esbuild");
  await execa(esbuild, ["--bundle", "--platform=node", "--format=cjs", `--outfile=${outfile}`], {
    cwd: ROOT,
    input: doors.map((door) => `export * from "@actions/languageservice/${door}";`).join("\n"),
  });
  return (await import(pathToFileURL(outfile).href)) as LanguageService;
}
