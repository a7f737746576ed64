import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, messageOf, OperationalError } from "agent-tty/kit";
import type { FleetErrorCode } from "./fleet-error.ts";

/** Disposing closes the server and resolves once it is closed. */
export interface ListeningServer extends AsyncDisposable {
  readonly port: number;
}

interface Listening {
  host: string;
  /** 0: any free port. */
  port: number;
  /** The start of the error message when the port is refused, e.g. "serve health and metrics". */
  attempted: string;
  /** The option that the remedy names: "--ops-port", or "port". */
  option: string;
  /** The time that closing waits for requests in progress; null: their connections are closed at once. */
  patience: { clock: Pick<Clock, "schedule">; ms: number } | null;
}

/** Listens until disposed. Rejects with FLEET_PORT_REFUSED. */
export async function listen(
  server: Server,
  { host, port, attempted, option, patience }: Listening,
): Promise<ListeningServer> {
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw new OperationalError<FleetErrorCode>({
      code: "FLEET_PORT_REFUSED",
      message: `${attempted} on ${host}, port ${port}: ${messageOf(error)}`,
      remedy: `Choose another ${option}, or 0 for any free one.`,
      cause: error,
    });
  }
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeIdleConnections();
      using _cut = patience?.clock.schedule(patience.ms, () => server.closeAllConnections());
      if (patience === null) server.closeAllConnections();
      await closed;
    },
  };
}
