import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const ownerSchema = z.object({
  schema: z.literal("afk-triage/demo-owner@1"),
  pid: z.int().positive(),
  /** The `parentIdentity()` of the demo's process, by which later demos determine whether this demo is still running. */
  parent: z.string(),
  startedAt: z.string(),
  /** null while the demo runs. It stays null if the demo was killed. */
  finishedAt: z.string().nullable(),
});

/** The content of `owner.json` in a demo's directory. */
export type DemoOwner = z.infer<typeof ownerSchema>;

/** Returns the owner of a demo's directory; null if there is no owner file, or if another program wrote it. */
export async function readOwner(directory: string): Promise<DemoOwner | null> {
  try {
    const text = await readFile(join(directory, "owner.json"), "utf8");
    return ownerSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Replaces the file atomically, so that a reader never sees half of it. */
export async function writeOwner(directory: string, owner: DemoOwner): Promise<void> {
  const path = join(directory, "owner.json");
  await writeFile(`${path}.partial`, `${JSON.stringify(owner, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.partial`, path);
}
