import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder, readTemplate } from "../../package-folder.ts";

let version: string | null = null;

/**
 * Returns twelve hex digits of a digest of the prompt and the triage skill, which distinguish outcomes of different instructions.
 */
export function promptVersion(): string {
  version ??= digest();
  return version;
}

function digest(): string {
  const folder = join(packageFolder("skills"), "triage");
  const hash = createHash("sha256").update(readTemplate("prompt.md"));
  for (const name of readdirSync(folder).toSorted())
    hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 12);
}
