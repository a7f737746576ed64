import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A file of the page, in memory, so that no part of a request is ever used as a path. */
export interface PageFile {
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes, compressed when the page was built. */
  encoded: { br: Uint8Array<ArrayBuffer> | null; gzip: Uint8Array<ArrayBuffer> | null };
  /** Whether the file's name contains the hash of its contents, so that a browser may keep it forever. */
  isImmutable: boolean;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
};
const FILE_NAME = /^[\w-]+(?:\.[\w-]+)*\.([a-z0-9]+)$/;
const HASH_LENGTH = 16;
const NONCE_PLACE = /<meta\s+name="csp-nonce"[^>]*>/;

/**
 * Returns the page's files by name; empty if the page was not built. The page refers to its scripts and styles by names with the
 * hash of their contents (B6); they are also available under their own names.
 */
export async function readPageFiles(directory: string): Promise<ReadonlyMap<string, PageFile>> {
  const names: readonly string[] = await readdir(directory).catch(() => []);
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const mediaType = MEDIA_TYPES[FILE_NAME.exec(name)?.[1] ?? ""];
    if (mediaType === undefined) continue;
    const bytes = new Uint8Array(await readFile(join(directory, name)));
    const [br, gzip] = await Promise.all(
      [`${name}.br`, `${name}.gz`].map(async (other) =>
        names.includes(other) ? new Uint8Array(await readFile(join(directory, other))) : null,
      ),
    );
    files.set(name, {
      mediaType,
      bytes,
      encoded: { br: br ?? null, gzip: gzip ?? null },
      isImmutable: false,
    });
  }
  const page = files.get("index.html");
  if (page === undefined) return files;
  let text = new TextDecoder().decode(page.bytes);
  for (const name of names) {
    const file = files.get(name);
    const reference = new RegExp(`((?:src|href)=")(?:\\./)?${name.replaceAll(".", "\\.")}(")`, "g");
    if (file === undefined || name === "index.html" || !reference.test(text)) continue;
    const hash = createHash("sha256").update(file.bytes).digest("hex").slice(0, HASH_LENGTH);
    const hashed = name.replace(/\.(\w+)$/, `.${hash}.$1`);
    files.set(hashed, { ...file, isImmutable: true });
    text = text.replaceAll(reference, `$1${hashed}$2`);
  }
  files.set("index.html", { ...page, bytes: new TextEncoder().encode(text) });
  return files;
}

/** Returns the page with the nonce, which the page reads from this element and sets on the style elements that it creates. */
export function withNonce(page: PageFile, nonce: string): string {
  return new TextDecoder()
    .decode(page.bytes)
    .replace(NONCE_PLACE, () => `<meta name="csp-nonce" content="${nonce}" />`);
}
