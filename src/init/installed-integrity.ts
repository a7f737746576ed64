import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** The file that npm writes beside the packages it installed: https://docs.npmjs.com/cli/configuring-npm/package-lock-json */
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ integrity: z.string().optional() })),
});

const PACKAGE = "node_modules/afk-triage";

/**
 * Returns the integrity of the tarball from which this program was installed (`sha512-…`); empty if npm recorded none, as in a
 * clone.
 */
export async function installedIntegrity(programFile: string): Promise<string> {
  const at = programFile.lastIndexOf(`/${PACKAGE}/`);
  if (at === -1) return "";
  const lock = join(programFile.slice(0, at), "node_modules", ".package-lock.json");
  const text = await readFile(lock, "utf8").catch(() => "null");
  const read = lockSchema.safeParse(parsed(text));
  const integrity = read.data?.packages[PACKAGE]?.integrity ?? "";
  return /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ? integrity : "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
