export { createLocalProvider, type LocalProviderOptions } from "./local-provider.ts";
