/** A preference that is kept after the page is closed, unless the browser forbids storage. */
export interface Remembered {
  read(): string | null;
  write(value: string): void;
}

/** Returns the stored preference of this name. */
export function remembered(name: string): Remembered {
  const key = `afk-triage:${name}`;
  return {
    read: () => attempt(() => window.localStorage.getItem(key)),
    write: (value) => void attempt(() => window.localStorage.setItem(key, value)),
  };
}

function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
