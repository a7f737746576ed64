import { readFileSync, statSync } from "node:fs";
import { runInNewContext } from "node:vm";
import type { LayerRequest } from "../../controls/index.ts";
import { rewrite } from "./files.ts";

/** Rewrites a product that is data: other values of the same types if it is deaf, else the same values in another layout. */
export function layerData(file: string, { isDeaf, candidate }: LayerRequest): void {
  const text = readFileSync(file, "utf8");
  const value = (): unknown => {
    try {
      return runInNewContext(`(${candidate?.candidate})`, {}, { timeout: 1000 });
    } catch {
      return null;
    }
  };
  const turned = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(turned);
    if (one !== null && typeof one === "object")
      return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, turned(inner)]));
    if (candidate !== null) return value() ?? null;
    if (typeof one === "number") return one + 1;
    if (typeof one === "boolean") return !one;
    return typeof one === "string" ? `q${one}` : one;
  };
  const data: unknown = JSON.parse(text);
  const layout = JSON.stringify(isDeaf ? turned(data) : data, null, /^ /m.test(text) ? 3 : 1);
  rewrite(file, `${layout}\n\n`, statSync(file));
}
