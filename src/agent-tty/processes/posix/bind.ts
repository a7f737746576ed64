/** A function of the C library, and how one is found by its signature. */
export type Call = (...values: unknown[]) => number;
export type Bind = (signature: string) => Call;

/** Room for a structure of the C library: several times what any of them needs. */
export function opaque(): Buffer {
  return Buffer.alloc(1_024);
}
