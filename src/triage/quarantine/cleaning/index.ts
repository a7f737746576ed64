export { createSessionCleaner, type SessionCleaner } from "./session-cleaner.ts";
export { createThreadedCleaner } from "./cleaning-threads.ts";
export { emptySession } from "./session-files.ts";
