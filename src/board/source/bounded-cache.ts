/** A cache that keeps the `limit` most recently used values. A rejected value is not kept. */
export class BoundedCache<T> {
  readonly #limit: number;
  readonly #kept = new Map<string, Promise<T>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key);
    const value = known ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value);
    if (known === undefined) value.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#limit && oldest !== undefined) this.#kept.delete(oldest);
    return value;
  }
}
