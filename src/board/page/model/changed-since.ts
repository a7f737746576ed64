/**
 * Returns the values of `now` that differ from `before`, an earlier state of the same map. An answer that was requested at the
 * time of `before` may be older than these changes, so the caller applies them to it again.
 */
export function changedSince<Value>(
  before: ReadonlyMap<string, Value>,
  now: ReadonlyMap<string, Value>,
): Value[] {
  return [...now].filter(([key, value]) => before.get(key) !== value).map(([, value]) => value);
}
