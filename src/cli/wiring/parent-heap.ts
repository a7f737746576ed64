import { setFlagsFromString } from "node:v8";

/**
 * The growth that V8's old generation is allowed over the live data at its last collection, in percent. V8's own limit is up to
 * 300.
 */
const GROWTH_PERCENT = 30;

/** V8's default, with which V8 chooses the growth itself. */
const UNBOUND = 0;

/**
 * Limits the memory of a parent to what its Triage Runs need, at the cost of a little more processor time. The V8 of Node.js 24
 * accepts the flag, but ignores it. It must be called before the batch and disposed afterwards: the cache of compiled code records
 * V8's flags, and the next start rejects a cache with other flags.
 */
export function boundHeapGrowth(): Disposable {
  const set = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);
  set(GROWTH_PERCENT);
  return { [Symbol.dispose]: () => set(UNBOUND) };
}
