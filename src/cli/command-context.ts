import type { Output } from "./output/index.ts";

/** The context that `program.ts` passes to each command. The process ends with the exit code once the event loop is empty. */
export interface CommandContext {
  /** Returns the output. It is loaded only when a command runs, because help and usage errors do not need it. */
  output: () => Promise<Output>;
  exitWith: (code: number) => void;
}
