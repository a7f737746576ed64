import { connect, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";

const NAME = "rpc.sock";
/** sun_path holds 108 bytes with the final NUL on Linux, 104 on macOS. */
const MAX_PATH_BYTES = 103;

/** S17: inside the Session's own directory (0700), where no other user can take its place. */
export function rpcSocketPath(sessionDirectory: string): string {
  return join(sessionDirectory, NAME);
}

/**
 * Starts to connect to the host of the Session in this directory. Failures come as the socket's `error` event.
 */
export function connectRpcSocket(sessionDirectory: string): Socket {
  return within(rpcSocketPath(sessionDirectory), (path) => connect({ path, allowHalfOpen: true }));
}

/**
 * Resolves once the server listens on the Session's socket; rejects when it cannot, for example with EADDRINUSE.
 */
export async function listenRpcSocket(server: Server, sessionDirectory: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    within(rpcSocketPath(sessionDirectory), (path) => server.listen(path, resolve));
  });
}

/** A path too long for a socket address is used by its name, from inside its directory: both calls act at once. */
function within<Result>(path: string, use: (path: string) => Result): Result {
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  const before = process.cwd();
  process.chdir(dirname(path));
  try {
    return use(NAME);
  } finally {
    process.chdir(before);
  }
}
