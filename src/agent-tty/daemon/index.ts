export { runHostProcess } from "./host-process.ts";
export { HOST_ARGUMENT, startHost } from "./start-host.ts";
