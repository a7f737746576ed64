export type { HostSpec } from "./host-spec.ts";
export { serveSession, type SessionServer } from "./session-server.ts";
export { startHost } from "./start-host.ts";
