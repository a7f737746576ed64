import { setFlagsFromString } from "node:v8";

/** By how much V8's old memory may grow over what lived at its last collection, in percent; V8's own is up to 300. */
const GROWTH_PERCENT = 30;

/** V8's own. */
const UNBOUND = 0;

/**
 * Bounds the memory of a parent by what its Triage Runs hold, for a little more processor time. Call it before the batch, and
 * dispose it after: compiled code that is kept says which flags V8 had, and with another one the next start refuses it.
 */
export function boundHeapGrowth(): Disposable {
  const set = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);
  set(GROWTH_PERCENT);
  return { [Symbol.dispose]: () => set(UNBOUND) };
}
