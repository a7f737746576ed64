export { createLocalProvider } from "./local-provider.ts";
