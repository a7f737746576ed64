import { readFileSync } from "node:fs";

/** One directory up is the engine's own package here, and the published package once bundled into dist. */
const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
export const version: string = (JSON.parse(manifest) as { version: string }).version;
