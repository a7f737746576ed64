/** Writes to stdout. Waits while the pipe is full, because the reader may be slower than the writer. */
export function told(line: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(line, () => resolve());
  });
}
