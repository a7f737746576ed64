import { parseVersion } from "./version-number.ts";

/** Texts by people and by the Triage Agent, the most specific first. */
export interface ReportFacts {
  texts: readonly string[];
  /** The existing versions. */
  versions: readonly string[];
  /** Names that may precede the version: the package, the repository. */
  productNames: readonly string[];
}

export type ReportedVersion =
  | { type: "named"; version: string }
  /** Two or more versions could be meant. */
  | { type: "ambiguous"; versions: readonly string[] }
  | { type: "none" };

/** Words right before a number that mark it as a version of another product. */
const OTHER_PRODUCT =
  /\b(?:node(?:\.?js)?|npm|npx|yarn|pnpm|deno|bun|typescript|tsc|python|pip|ruby|go|golang|rust|rustc|cargo|java|jdk|jre|kotlin|gradle|maven|php|gcc|clang|glibc|debian|ubuntu|fedora|alpine|linux|kernel|windows|macos|os ?x|ios|android|chrome|chromium|firefox|safari|edge|docker|kubernetes|postgres(?:ql)?|mysql|sqlite|redis|react|vue|angular|webpack|vite|jest|mocha|vitest|eslint)\b[\s@:=/"'`(|]{0,5}(?:version\s*)?v?$/i;
/** Words right before a number that mark it as a version without the bug. */
const WITHOUT_BUG =
  /\b(?:works?(?: fine| well)? (?:in|with|on)|worked (?:in|with|on)|fine (?:in|with|on)|ok(?:ay)? (?:in|with|on)|good (?:in|with|on)|fixed (?:in|by|with)|until|before|prior to|downgrad\w+ to|back to|revert\w* to|last good(?: version)?:?|up(?:grad|dat)\w* from|moved from|migrat\w+ from|since upgrading from|not (?:in|with|on)|(?:never|did not|didn't|does not|doesn't) happen(?:s|ed)? (?:in|with|on))\s*(?:version\s*)?(?:[\w./-]+[\s@])?["'`(v]{0,3}$/i;
/** Words right before a number that mark it as the reported version. */
const WITH_BUG =
  /(?:\bversion(?: of (?:the )?[\w./-]+)?\b|\b(?:since|seen with|seen in|affects?|affected|happens? (?:in|with|on)|broken (?:in|since)|up(?:grad|dat)\w* to|moved to|using|installed)\b)[\s:*=`"'#|>]{0,12}(?:[\w./-]+[\s@])?[`"'(v]{0,3}$/i;
const MENTION = /(?<![\w.])v?\d{1,9}(?:\.\d{1,9}){1,3}(?:[-.]?[a-z][0-9a-z.-]{0,30})?(?![\w]|\.\d)/gi;
const TEXT_MAX = 50_000;

/**
 * Returns the version that a report names as having the bug. Only existing versions are considered. One after the product's name or
 * the word "version" is preferred; versions of Node.js or an operating system and texts such as "works in 1.2" are ignored. The
 * first text that names a version decides.
 */
export function reportedVersion({ texts, versions, productNames }: ReportFacts): ReportedVersion {
  const existing = new Map(versions.map((name) => [keyOf(name), name]));
  for (const text of texts) {
    const named = mentionsIn(text.slice(0, TEXT_MAX), existing, productNames);
    const best = Math.max(...named.values());
    const found = [...named].flatMap(([version, weight]) => (weight === best ? [version] : []));
    const [only] = found;
    if (only === undefined) continue;
    return found.length === 1 ? { type: "named", version: only } : { type: "ambiguous", versions: found };
  }
  return { type: "none" };
}

/** Returns each version with the weight of its strongest mention. */
function mentionsIn(
  text: string,
  existing: ReadonlyMap<string, string>,
  productNames: readonly string[],
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { 0: mention, index } of text.matchAll(MENTION)) {
    const version = existing.get(keyOf(mention.replace(/\.$/, "")));
    if (version === undefined) continue;
    const before = text.slice(Math.max(0, index - 80), index);
    const weight = weightOf(before, productNames);
    if (weight > 0) weights.set(version, Math.max(weight, weights.get(version) ?? 0));
  }
  return weights;
}

function weightOf(before: string, productNames: readonly string[]): number {
  if (WITHOUT_BUG.test(before)) return 0;
  const isNamed = productNames.some((name) => isBeside(before, name));
  if (!isNamed && OTHER_PRODUCT.test(before)) return 0;
  return 1 + (isNamed ? 2 : 0) + (WITH_BUG.test(before) ? 2 : 0);
}

/** Returns whether the name is right before a version: `name@1.2.3`, `name 1.2.3`, `name (v1.2.3`, `name: 1.2.3`. */
function isBeside(before: string, name: string): boolean {
  const tail = before.toLowerCase().replace(/(?:[\s@:=`"'*(|]|\bversion\b|\bv)*$/, "");
  return name !== "" && tail.endsWith(name.toLowerCase()) && !/[\w]/.test(tail.at(-name.length - 1) ?? " ");
}

function keyOf(version: string): string {
  const number = parseVersion(version);
  return number === null ? version : JSON.stringify([number.numbers, number.prerelease]);
}
