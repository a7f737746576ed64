import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a module that moves the clock of each process that requires it. */
export function writeClock({ directory, aheadMs }: { directory: string; aheadMs: number }): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "clock.cjs"), `(${moveClock.toString()})(${aheadMs});\n`);
}

/**
 * Moves the clock. It is written to a separate file, so it must not use anything of this one. Every process of the run loads that
 * file first, so that differences between times stay right, which are what most programs measure.
 */
function moveClock(aheadMs: number): void {
  const { now } = Date;
  const moved = new Proxy(Date, {
    construct: (real, args: unknown[], made) =>
      Reflect.construct(real, args.length === 0 ? [now() + aheadMs] : args, made) as Date,
    apply: (real) => new real(now() + aheadMs).toString(),
  });
  Date.now = () => now() + aheadMs;
  Reflect.defineProperty(Date.prototype, "constructor", { value: moved, writable: true, configurable: true });
  globalThis.Date = moved;
}
