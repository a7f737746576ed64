export { confinedExec } from "./confined-exec.ts";
export { createLocalProvider } from "./local-provider.ts";
