import lzString from "lz-string";
import { z } from "zod";
import { parseJson } from "agent-tty/kit";
import type { ProgramLanguage } from "./program-script.ts";

/** The program in a playground's link. It is read from the link alone; nothing is fetched. */
export type Playground =
  /** The playground shows the repository at this URL. */
  | { kind: "repository"; url: string }
  | { kind: "program"; language: ProgramLanguage; text: string }
  /** The files of a project, by relative path. */
  | { kind: "files"; files: ReadonlyMap<string, string> };

/**
 * Packed text with more characters than this is not unpacked. In the worst case, the unpacked text grows with the square of this
 * number.
 */
const MAX_PACKED_CHARACTERS = 8_000;
const MAX_FILES = 50;
const MAX_FILES_CHARACTERS = 200_000;

/** Links of StackBlitz, CodeSandbox and Gitpod that contain a GitHub repository. */
const REPOSITORY_PAGES = [
  /^https:\/\/stackblitz\.com\/(?:fork\/)?github\/([\w.-]+\/[\w.-]+\/tree\/[\w./@-]+)/,
  /^https:\/\/(?:www\.)?codesandbox\.io\/s\/github\/([\w.-]+\/[\w.-]+\/tree\/[\w./@-]+)/,
  /^https:\/\/gitpod\.io\/?#https:\/\/github\.com\/([\w.-]+\/[\w.-]+\/tree\/[\w./@-]+)/,
];
/** TypeScript's playground: `compressToEncodedURIComponent` of lz-string. */
const TYPESCRIPT = /^https:\/\/www\.typescriptlang\.org\/(?:[a-z-]+\/)?play\/?(?:\?[^#]*)?#code\/([\w+$-]+)$/;
/** Babel's REPL: `compressToBase64` of lz-string in the URL-safe alphabet. */
const BABEL = /^https:\/\/babeljs\.io\/(?:en\/)?repl\/?(?:\?[^#]*)?#\?(?:[^#]*&)?code_lz=([\w-]+)(?:&|$)/;
/** CodeSandbox's "define": the same packing of a JSON document with the files. */
const CODESANDBOX =
  /^https:\/\/codesandbox\.io\/api\/v1\/sandboxes\/define\/?\?(?:[^#]*&)?parameters=([\w-]+)(?:&|$)/;

const definedFiles = z.object({
  files: z.record(
    z.string(),
    z.object({ content: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
  ),
});
/** A relative path whose parts are plain names, without `.` and `..`. */
const PLAIN_PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w@.+-]+(?:\/[\w@.+-]+)*$/;

/** Returns the content of a playground's link. null: it is another link, or the playground keeps its files on a server. */
export function playgroundOf(link: string): Playground | null {
  for (const page of REPOSITORY_PAGES) {
    const path = page.exec(link)?.[1];
    if (path !== undefined) return { kind: "repository", url: `https://github.com/${path}` };
  }
  const typescript = TYPESCRIPT.exec(link)?.[1];
  if (typescript !== undefined) return program(unpacked(typescript, "uri"));
  const babel = BABEL.exec(link)?.[1];
  if (babel !== undefined) return program(unpacked(babel, "base64"));
  const defined = CODESANDBOX.exec(link)?.[1];
  return defined === undefined ? null : filesIn(unpacked(defined, "base64"));
}

function program(text: string | null): Playground | null {
  return text === null ? null : { kind: "program", language: "javascript", text };
}

function unpacked(packed: string, alphabet: "uri" | "base64"): string | null {
  if (packed.length > MAX_PACKED_CHARACTERS) return null;
  // lz-string declares a string as its result, but returns null or an empty string for text that it did not pack.
  const text: string | null =
    alphabet === "uri"
      ? lzString.decompressFromEncodedURIComponent(packed)
      : lzString.decompressFromBase64(packed.replaceAll("-", "+").replaceAll("_", "/"));
  return text || null;
}

function filesIn(json: string | null): Playground | null {
  if (json === null || json.length > MAX_FILES_CHARACTERS) return null;
  const read = definedFiles.safeParse(parseJson(json));
  if (!read.success) return null;
  const entries = Object.entries(read.data.files);
  if (entries.length > MAX_FILES || !entries.every(([path]) => PLAIN_PATH.test(path))) return null;
  const files = entries.map(
    ([path, { content }]) => [path, typeof content === "string" ? content : JSON.stringify(content)] as const,
  );
  return { kind: "files", files: new Map(files) };
}
