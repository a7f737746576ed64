import { type LaunchedHost, launchHost } from "../daemon/index.ts";
import { hostArguments } from "./host-argument.ts";

/**
 * Starts the host process of a `create` before the command line is loaded and its arguments are known, so that both processes
 * load at the same time (P2). A host that no Session took is killed when this process exits. Returns null if it cannot be
 * started; the command then starts one itself and reports why that fails.
 */
export function launchEarly(): LaunchedHost | null {
  try {
    const host = launchHost(hostArguments());
    process.once("exit", () => host.kill());
    return host;
  } catch {
    return null;
  }
}
