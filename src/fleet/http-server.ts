import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, messageOf, OperationalError } from "agent-tty/kit";
import type { FleetErrorCode } from "./fleet-error.ts";

/** Disposing closes it and resolves once it is closed. */
export interface ListeningServer extends AsyncDisposable {
  readonly port: number;
}

interface Listening {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Begins the message of a refusal: "serve health and metrics". */
  attempted: string;
  /** Names what to choose another value of: "--ops-port", or "port". */
  option: string;
  /** How long requests that began are waited for when it closes; null: they are cut at once. */
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
