export type { HostSpec } from "./host-spec.ts";
export { type LaunchedHost, launchHost } from "./launch-host.ts";
export { serveSession, type SessionServer } from "./session-server.ts";
export { startHost } from "./start-host.ts";
