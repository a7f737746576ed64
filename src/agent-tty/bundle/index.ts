export { keepCode } from "./code-cache.ts";
export { loadBundle } from "./load-bundle.ts";
