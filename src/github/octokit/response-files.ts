import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Ids, parseJson, writeFileAtomic } from "agent-tty/kit";
import { z } from "zod";
import { redactSecrets } from "../secrets.ts";
import type { ResponseStore } from "./conditional-fetch.ts";

const MAX_FILES = 5_000;
const MAX_BODY_CHARACTERS = 4 * 1024 * 1024;

/** A response that is kept from one batch to the next, so that a batch without changes costs only 304s (T14). */
const keptSchema = z.object({
  url: z.string(),
  etag: z.string(),
  status: z.literal(200),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
});

/**
 * Opens a store with one private file per response in `directory`, which is created. Losing the directory or any of its files
 * costs only requests: files that cannot be read or written are ignored. A response that contains a secret's shape is not stored
 * (S18).
 */
export async function openResponseFiles(directory: string, ids: Ids): Promise<ResponseStore> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await prune(directory);
  const fileOf = (url: string): string =>
    join(directory, `${createHash("sha256").update(url).digest("hex")}.json`);
  return {
    load: async (url) => {
      const text = await readFile(fileOf(url), "utf8").catch(() => null);
      const kept = text === null ? null : keptSchema.safeParse(parseJson(text)).data;
      return kept?.url === url ? kept : null;
    },
    save: async (url, kept) => {
      const hasSecret = redactSecrets(kept.body) !== kept.body;
      if (hasSecret || kept.body.length > MAX_BODY_CHARACTERS) return;
      await writeFileAtomic(fileOf(url), JSON.stringify({ url, ...kept }), ids.hex(8)).catch(() => undefined);
    },
  };
}

/**
 * Removes the oldest files, and the temporary files of killed processes. This also removes a temporary file that a running
 * process is writing, which costs that process one response.
 */
async function prune(directory: string): Promise<void> {
  const names = await readdir(directory);
  const files = await Promise.all(
    names
      .filter((name) => !name.endsWith(".tmp"))
      .map(async (name) => {
        const found = await stat(join(directory, name)).catch(() => null);
        return { name, atMs: found?.mtimeMs ?? 0 };
      }),
  );
  const old = files.toSorted((a, b) => b.atMs - a.atMs).slice(MAX_FILES);
  const stale = [...old.map(({ name }) => name), ...names.filter((name) => name.endsWith(".tmp"))];
  await Promise.all(stale.map((name) => rm(join(directory, name), { force: true })));
}
