import { beforehand } from "./known-objects.ts";

/** Returns what the script has put in the place of a method of the product's classes, or undefined. */
export function replacedMethod(key: string): unknown {
  for (const [proto, before] of beforehand) {
    const found = Object.getOwnPropertyDescriptor(proto, key);
    if (found && "value" in found && before.has(key) && before.get(key) !== found.value)
      return found.value as unknown;
  }
  return undefined;
}
