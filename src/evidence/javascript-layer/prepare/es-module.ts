import type { Stats } from "node:fs";
import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";
import { commented, relativeTo, rewrite } from "./files.ts";

const NAME = /^[A-Za-z_$][\w$]*$/;
const IMPORT_LIMIT_MS = 3000;

export interface ModuleOptions {
  readonly token: string;
  /** The product's own text does not run. */
  readonly loads: boolean;
  readonly isProgram: boolean;
}

/**
 * Plans the layer of an ES module: its text moves to a file beside it, and the file itself exports what the layer makes of that
 * file's exports. Returns a function that writes both files and returns the path of the new one; null if the names of the exports
 * cannot be found.
 */
export async function layerModule(
  file: string,
  text: string,
  layer: string,
  stat: Stats,
  { token, loads, isProgram }: ModuleOptions,
): Promise<(() => string) | null> {
  const names = await exportNames(file, text);
  if (names === null && !isProgram) return null;
  const extension = extname(file);
  const inner = `${file.slice(0, -extension.length)}-${token.slice(0, 8)}${extension}`;
  const beside = JSON.stringify(`./${basename(inner).replace(/\.tsx$/, ".jsx")}`);
  const head = /^#![^\n]*\n/.exec(text)?.[0] ?? "";
  const createRequire = `r${token.slice(0, 4)}`;
  const importRequire = `import { createRequire as ${createRequire} } from "node:module";`;
  const requireLayer = `const layer = ${createRequire}(import.meta.url)(${JSON.stringify(relativeTo(file, layer))});`;
  const made = `const made = layer.of({ ...all }, ${JSON.stringify(basename(file))}, import.meta.url);`;
  const asModule = [
    importRequire,
    `import * as all from ${beside};`,
    requireLayer,
    `layer.restoreBuiltIns();`,
    made,
  ];
  const asLoaded = [importRequire, requireLayer, `const made = layer.inert();`];
  const asProgram = [importRequire, requireLayer, ...startOfProgram(beside), made];
  const lines = isProgram ? asProgram : loads ? asLoaded : asModule;
  const exported = (names ?? []).flatMap(exportLine);
  return () => {
    rewrite(inner, text, stat);
    rewrite(file, `${head}${[...lines, ...exported].join("\n")}\n${loads ? commented(text) : ""}`, stat);
    return inner;
  };
}

function exportLine(name: string, index: number): string[] {
  if (name === "default") return [`export default made.default;`];
  if (!NAME.test(name)) return [];
  return [`const e${index} = made[${JSON.stringify(name)}];`, `export { e${index} as ${name} };`];
}

function startOfProgram(beside: string): string[] {
  return [
    `import { realpathSync } from "node:fs";`,
    `import { fileURLToPath } from "node:url";`,
    `const started = (() => { try { return realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url)); } catch { return false; } })();`,
    `if (started) { layer.program(); process.argv[1] = fileURLToPath(new URL(${beside}, import.meta.url)); }`,
    `layer.restoreBuiltIns();`,
    `const all = await import(${beside});`,
  ];
}

async function exportNames(file: string, text: string): Promise<string[] | null> {
  if (/\.(js|mjs)$/.test(file)) {
    const bounded = new Promise<null>((resolve) => {
      setTimeout(resolve, IMPORT_LIMIT_MS, null).unref();
    });
    const imported = (import(pathToFileURL(file).href) as Promise<object>).then(Object.keys, () => null);
    const found = await Promise.race([imported, bounded]);
    if (found !== null) return found;
  }
  const names = new Set<string>();
  const declared =
    /^[^\S\r\n\u2028\u2029]*export\s+(?:async\s+)?(?:function\*?|const|let|var|class|enum)\s+([\w$]+)/gm;
  for (const [, name = ""] of text.matchAll(declared)) names.add(name);
  for (const [, list = ""] of text.matchAll(/^[^\S\r\n\u2028\u2029]*export\s*\{([^}]*)\}/gm))
    for (const one of list.split(",")) {
      const name =
        one
          .trim()
          .split(/\s+as\s+/)
          .at(-1)
          ?.trim() ?? "";
      if (NAME.test(name) && !/^type\s/.test(one.trim())) names.add(name);
    }
  if (/^[^\S\r\n\u2028\u2029]*export\s+default\b/m.test(text)) names.add("default");
  return names.size > 0 ? [...names] : null;
}
