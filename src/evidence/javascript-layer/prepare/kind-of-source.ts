import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";

/** Returns whether a file is JavaScript or TypeScript, or a program of Node.js without an extension. */
export function isSource(root: string, file: string): boolean {
  const isNamed = /\.(c|m)?(j|t)sx?$/.test(file) && !/\.d\.(c|m)?ts$/.test(file);
  return isNamed || isProgramOfNode(root, file);
}

/** Returns whether a file without an extension says in its first line that Node.js runs it. */
function isProgramOfNode(root: string, file: string): boolean {
  if (extname(file) !== "") return false;
  try {
    const text = readFileSync(join(root, file), "utf8");
    return /^#!.*\bnode\b/.test(text.slice(0, 200)) && !isEsModule(root, file, "");
  } catch {
    return false;
  }
}

export function isEsModule(root: string, file: string, text: string): boolean {
  if (/\.(mjs|mts)$/.test(file)) return true;
  if (/\.(cjs|cts)$/.test(file)) return false;
  if (/\.(ts|tsx|jsx)$/.test(file)) return /^[^\S\r\n\u2028\u2029]*(import|export)\b/m.test(text);
  for (let folder = dirname(join(root, file)); folder.startsWith(root); folder = dirname(folder)) {
    try {
      const { type } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { type?: unknown };
      return type === "module";
    } catch {}
    if (folder === dirname(folder)) break;
  }
  return false;
}

/** Returns whether a file is a CommonJS module as far as its text shows. */
export function isCommonJs(text: string): boolean {
  return (
    !/^[^\S\r\n\u2028\u2029]*(?:export|import)\s[^(]/m.test(text) || /module\.exports|exports\.\w/.test(text)
  );
}
