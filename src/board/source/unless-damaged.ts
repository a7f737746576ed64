import { OperationalError } from "agent-tty/kit";

/** Returns null for a damaged row: it is not shown (B7), and its list names it. */
export function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof OperationalError && error.code === "STORE_CORRUPT") return null;
    throw error;
  }
}
