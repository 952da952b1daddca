// Forwards a browser to ports of this machine, as editors in the browser and hubs of notebooks do: below a path that it strips, or at a host
// name for each port. It passes everything else on unchanged.
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface Forwarding {
  /** Returns the address under which the browser reaches an address of this machine. */
  external(address: string): Promise<string>;
  close(): void;
}

export async function openForwarding(form: "path" | "host"): Promise<Forwarding> {
  const server = createServer((incoming, outgoing) => {
    const { host = "" } = incoming.headers;
    const [, port, path] =
      form === "path"
        ? (/^\/user\/ada\/proxy\/(\d+)(\/.*)$/.exec(incoming.url ?? "") ?? [])
        : [host, /^p(\d+)\./.exec(host)?.[1], incoming.url];
    if (port === undefined) {
      outgoing.writeHead(404).end("There is nothing here but forwarded ports.");
      return;
    }
    const forwarded = request(
      { host: "127.0.0.1", port, path, method: incoming.method, headers: incoming.headers, setHost: false },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
        response.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    async external(address) {
      const { port, pathname, search } = new URL(address);
      const base = form === "path" ? `http://127.0.0.1:${own}/user/ada/proxy/${port}` : `http://p${port}.hub.localhost:${own}`;
      return `${base}${pathname}${search}`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
