import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sep } from "node:path";
import { config, own } from "./config.ts";

const sums: Readonly<Record<string, string>> = { ...config.sums, ...config.sumsOfModules };
const unchanged = new Map<string, boolean>();

/**
 * Returns whether a file belongs to the product or is a copy of such a file. A copy gets a layer only if neither the copy nor any
 * file that was copied with it was changed.
 */
export function isOurs(file: string): boolean {
  if (own.has(file)) return true;
  const sum = sumOf(file);
  return Object.keys(sums).some((one) => sums[one] === sum && isUnchanged(file.split(sep), one.split("/")));
}

function isUnchanged(copy: readonly string[], product: readonly string[]): boolean {
  let same = 0;
  while (
    same < Math.min(copy.length, product.length) &&
    copy[copy.length - 1 - same] === product[product.length - 1 - same]
  )
    same += 1;
  // A file with another name was copied alone.
  if (same === 0) return true;
  const folder = [...copy.slice(0, copy.length - same), ""].join(sep);
  const prefix = [...product.slice(0, product.length - same), ""].join("/");
  const known = unchanged.get(folder + prefix);
  if (known !== undefined) return known;
  const inside = Object.keys(sums).filter((one) => one.startsWith(prefix));
  const found = inside.every((one) => [null, sums[one]].includes(sumOf(folder + one.slice(prefix.length))));
  unchanged.set(folder + prefix, found);
  return found;
}

function sumOf(file: string): string | null {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12);
  } catch {
    return null;
  }
}
