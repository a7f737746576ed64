import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ids } from "agent-tty/kit";
import { z } from "zod";
import { redactSecrets } from "../secrets.ts";
import type { ResponseStore } from "./conditional-fetch.ts";

const MAX_FILES = 5_000;
const MAX_BODY_CHARACTERS = 4 * 1024 * 1024;

/** Answers kept from one batch to the next, so that an idle batch costs 304s only (T14). */
const keptSchema = z.object({
  url: z.string(),
  etag: z.string(),
  status: z.literal(200),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string(),
});

/**
 * One private file an answer in `directory`, which is made. Losing it, or any file of it, costs requests and nothing
 * else: what cannot be read or written is passed over. An answer that holds a secret's shape is not kept (S18).
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
      await replace(fileOf(url), JSON.stringify({ url, ...kept }), ids).catch(() => undefined);
    },
  };
}

async function replace(path: string, text: string, ids: Ids): Promise<void> {
  const temporary = `${path}.${ids.hex(8)}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The oldest go first; temporary files are what a killed process left. */
async function prune(directory: string): Promise<void> {
  const names = await readdir(directory);
  const files = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(directory, name)).catch(() => null);
      return { name, atMs: name.endsWith(".tmp") ? 0 : (found?.mtimeMs ?? 0) };
    }),
  );
  const stale = files.toSorted((a, b) => b.atMs - a.atMs).slice(MAX_FILES);
  await Promise.all(stale.map(({ name }) => rm(join(directory, name), { force: true })));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
