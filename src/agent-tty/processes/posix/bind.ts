/** `Call` is a function of the C library; `Bind` finds one by its signature. */
export type Call = (...values: unknown[]) => number;
export type Bind = (signature: string) => Call;

/** Returns a buffer for a structure of the C library, several times as large as any of them needs. */
export function opaque(): Buffer {
  return Buffer.alloc(1_024);
}
