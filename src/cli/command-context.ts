import type { Output } from "./output/index.ts";

/** `program.ts` gives this to each command. The process ends with the exit code once the event loop is empty. */
export interface CommandContext {
  /** Loaded when a command runs: help and usage errors need none of it. */
  output: () => Promise<Output>;
  exitWith: (code: number) => void;
}
