/**
 * Returns the values that a change has put into `now` since it was `before`. An answer that was asked for at `before` may
 * be older than these changes, so they are applied to it again.
 */
export function changedSince<Value>(
  before: ReadonlyMap<string, Value>,
  now: ReadonlyMap<string, Value>,
): Value[] {
  return [...now].filter(([key, value]) => before.get(key) !== value).map(([, value]) => value);
}
