import { createRequire } from "node:module";

/** One directory up is the engine's own package here, and the published package once bundled into dist. */
export const version: string = (createRequire(import.meta.url)("../package.json") as { version: string })
  .version;
