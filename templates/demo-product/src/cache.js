/** A least-recently-used cache: a Map keeps its keys in insertion order, the first one is the oldest. */
export function createCache({ limit }) {
  const entries = new Map();
  return {
    get size() {
      return entries.size;
    },
    get(key) {
      return entries.get(key);
    },
    set(key, value) {
      entries.delete(key);
      if (value === undefined) return;
      entries.set(key, value);
      if (entries.size > limit) entries.delete(entries.keys().next().value);
    },
  };
}
