import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rewrite } from "./files.ts";

/** Lets every file of a package be required, and keeps all that its manifest says. Files that it names and lacks exist, empty. */
export function permit(file: string): void {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const targets: string[] = [];
  const collect = (one: unknown): void => {
    if (typeof one === "string") targets.push(one);
    else if (one !== null && typeof one === "object") Object.values(one).forEach(collect);
  };
  for (const key of ["main", "module", "browser", "types", "typings", "bin", "exports"])
    collect(manifest[key]);
  for (const target of targets) {
    const full = join(dirname(file), target);
    if (target.includes("*") || target.startsWith("..") || !/\.\w+$/.test(target) || existsSync(full))
      continue;
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, "");
  }
  if (manifest["exports"] !== undefined && manifest["exports"] !== null)
    manifest["exports"] = openedExports(manifest["exports"]);
  rewrite(file, `${JSON.stringify(manifest, null, 2)}\n`, statSync(file));
}

function openedExports(exports: unknown): Record<string, unknown> {
  const isMap =
    typeof exports === "object" && Object.keys(exports as object).some((key) => key.startsWith("."));
  const open: Record<string, unknown> = isMap ? { ...(exports as object) } : { ".": exports };
  for (const key of Object.keys(open)) if (open[key] === null) delete open[key];
  return { ...open, "./package.json": "./package.json", "./*": open["./*"] ?? "./*" };
}

/** Gives a package another version number. Its manifest may be unreadable or missing. */
export function renumber(file: string, version: string): void {
  try {
    const stat = statSync(file);
    const text = readFileSync(file, "utf8");
    rewrite(file, text.replace(/("version"\s*:\s*")[^"]*(")/, `$1${version}$2`), stat);
  } catch {}
}
