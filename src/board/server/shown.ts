import { isDeepStrictEqual } from "node:util";

/** Remembers what was shown last, to find what has changed. */
export class Shown<Row> {
  readonly #keyOf: (row: Row) => string;
  readonly #valueOf: (row: Row) => unknown;
  #values = new Map<string, unknown>();
  #touched = new Set<string>();
  /** What the log has told since the last read began. */
  readonly #told = new Set<string>();

  constructor(keyOf: (row: Row) => string, valueOf: (row: Row) => unknown) {
    this.#keyOf = keyOf;
    this.#valueOf = valueOf;
  }

  /** The row counts as changed at the next call. */
  touch(key: string): void {
    this.#touched.add(key);
  }

  /** The row was told by the log. */
  wasTold(key: string): void {
    this.#told.add(key);
  }

  /**
   * Returns the rows whose value differs from the one at the last call. What the log has told meanwhile may be newer than what was
   * read: such a row is returned at the next call, if it is still there.
   */
  async changed(read: () => Promise<readonly Row[]>): Promise<Row[]> {
    this.#told.clear();
    const rows = await read();
    const before = this.#values;
    this.#values = new Map(rows.map((row) => [this.#keyOf(row), this.#valueOf(row)]));
    const changed = rows.filter((row) => {
      const key = this.#keyOf(row);
      const isOther = before.has(key) && !isDeepStrictEqual(before.get(key), this.#valueOf(row));
      return isOther || this.#touched.has(key);
    });
    const isOld = (row: Row): boolean => this.#told.has(this.#keyOf(row));
    this.#touched = new Set(changed.filter(isOld).map(this.#keyOf));
    return changed.filter((row) => !isOld(row));
  }
}
