export { createCache } from "./cache.js";
export { splitCsvLine } from "./csv.js";
export { parseDuration } from "./duration.js";
export { withLock } from "./lock.js";
export { slugify } from "./slug.js";
export { truncate } from "./truncate.js";
