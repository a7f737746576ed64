import { connect, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";

const NAME = "rpc.sock";
/** sun_path holds 108 bytes with the final NUL on Linux, 104 on macOS. */
const MAX_PATH_BYTES = 103;

/**
 * Returns the path of a Session's socket. The socket is private to its user (S17): it is in the Session's own directory (mode
 * 0700), where no other user can replace it.
 */
export function rpcSocketPath(sessionDirectory: string): string {
  return join(sessionDirectory, NAME);
}

/** Returns a socket that connects to the host of the Session in this directory. Failures are reported by its `error` event. */
export function connectRpcSocket(sessionDirectory: string): Socket {
  return within(rpcSocketPath(sessionDirectory), (path) => connect({ path, allowHalfOpen: true }));
}

/**
 * Resolves when the server listens on the Session's socket; rejects if it cannot, for example with EADDRINUSE.
 */
export async function listenRpcSocket(server: Server, sessionDirectory: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    within(rpcSocketPath(sessionDirectory), (path) => server.listen(path, resolve));
  });
}

/**
 * Calls `use` with the path or, if the path is too long for a socket address, with the file name from inside its directory. The
 * working directory can be restored at once, because connect and listen use the path synchronously.
 */
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
