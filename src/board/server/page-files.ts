import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A file of the page, in memory, so that no part of a request is ever used as a path. */
export interface PageFile {
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
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
const NONCE_PLACE = /<meta\s+name="csp-nonce"[^>]*>/;

/** Reads the page's files by name; empty if the page was not built. */
export async function readPageFiles(directory: string): Promise<ReadonlyMap<string, PageFile>> {
  const names = await readdir(directory).catch(() => []);
  const files = new Map<string, PageFile>();
  for (const name of names) {
    const mediaType = MEDIA_TYPES[FILE_NAME.exec(name)?.[1] ?? ""];
    if (mediaType !== undefined)
      files.set(name, { mediaType, bytes: new Uint8Array(await readFile(join(directory, name))) });
  }
  return files;
}

/** Inserts the nonce, which the page reads from this element and gives to the style elements that it creates. */
export function withNonce(page: PageFile, nonce: string): string {
  return new TextDecoder()
    .decode(page.bytes)
    .replace(NONCE_PLACE, () => `<meta name="csp-nonce" content="${nonce}" />`);
}
