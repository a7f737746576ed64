import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const ownerSchema = z.object({
  schema: z.literal("afk-triage/demo-owner@1"),
  pid: z.int().positive(),
  /** `parentIdentity()`: proves later whether the demo that lives here is still running. */
  parent: z.string(),
  startedAt: z.string(),
  /** null while it runs, and for ever when it was killed. */
  finishedAt: z.string().nullable(),
});

/** `owner.json` of a demo's directory. */
export type DemoOwner = z.infer<typeof ownerSchema>;

/** null when there is none, or none that this program wrote. */
export async function readOwner(directory: string): Promise<DemoOwner | null> {
  try {
    const text = await readFile(join(directory, "owner.json"), "utf8");
    return ownerSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Replaces the file as a whole: nobody ever reads half of it. */
export async function writeOwner(directory: string, owner: DemoOwner): Promise<void> {
  const path = join(directory, "owner.json");
  await writeFile(`${path}.partial`, `${JSON.stringify(owner, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.partial`, path);
}
