import { isDeepStrictEqual } from "node:util";

/** The values that were shown last, to find what has changed. */
export class Shown<Row> {
  readonly #keyOf: (row: Row) => string;
  readonly #valueOf: (row: Row) => unknown;
  #values = new Map<string, unknown>();
  #touched = new Set<string>();
  /** The keys of the rows that the log has reported since the last read began. */
  readonly #told = new Set<string>();

  constructor(keyOf: (row: Row) => string, valueOf: (row: Row) => unknown) {
    this.#keyOf = keyOf;
    this.#valueOf = valueOf;
  }

  /** Makes the row count as changed at the next call. */
  touch(key: string): void {
    this.#touched.add(key);
  }

  /** Records that the log has reported the row. */
  wasTold(key: string): void {
    this.#told.add(key);
  }

  /**
   * Returns the rows whose value differs from the one at the last call. A row that the log has reported during the read may be
   * newer than what was read, so it is returned at the next call, if it still exists.
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
