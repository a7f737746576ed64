import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a PostgreSQL server that can fall silent as a network does: no byte passes any more, and nobody says so. */
export interface SilentProxy extends AsyncDisposable {
  /** The URL of the same database, through the proxy. */
  url: string;
  /** The connections of now carry nothing any more; later ones do. */
  silence(): void;
}

/** `url`: of a server on a socket, as `startPostgres` gives it. */
export async function startSilentProxy(url: string): Promise<SilentProxy> {
  const { searchParams, pathname } = new URL(url);
  const path = `${searchParams.get("host") ?? ""}/.s.PGSQL.5432`;
  const open = new Set<Socket>();
  let living = { isSilent: false };
  const server = createServer((near) => {
    const network = living;
    const far = connect(path);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on("error", () => undefined);
      from.on("data", (bytes) => network.isSilent || to.write(bytes));
      from.on("close", () => network.isSilent || to.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://postgres@127.0.0.1:${port}${pathname}`,
    silence: () => {
      living.isSilent = true;
      living = { isSilent: false };
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}
