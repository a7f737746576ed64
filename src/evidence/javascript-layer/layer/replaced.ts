import { beforehand } from "./known-objects.ts";

/**
 * Returns the method by which the script has replaced a method of the product's classes; undefined: it has replaced none of this
 * name.
 */
export function replacedMethod(key: string): unknown {
  for (const [proto, before] of beforehand) {
    const found = Object.getOwnPropertyDescriptor(proto, key);
    if (found && "value" in found && before.has(key) && before.get(key) !== found.value)
      return found.value as unknown;
  }
  return undefined;
}
