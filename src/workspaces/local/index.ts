export { /** @tools Used by scripts/bench. */ confinedExec } from "./confined-exec.ts";
export { createLocalProvider } from "./local-provider.ts";
