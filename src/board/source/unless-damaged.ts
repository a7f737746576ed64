import { OperationalError } from "agent-tty/kit";

/** Returns what `read` returns; null for a damaged row, which is not shown (B7). The list that the row belongs to names it. */
export function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof OperationalError && error.code === "STORE_CORRUPT") return null;
    throw error;
  }
}
