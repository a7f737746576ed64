export { runHostProcess } from "./host-process.ts";
export { startHost } from "./start-host.ts";
