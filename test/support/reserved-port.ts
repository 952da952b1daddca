// Reserves a port of this machine on which nobody listens until the test does. A port that is only free may be taken a moment later,
// because other tests run at the same time.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface ReservedPort {
  readonly port: number;
  release(): void;
}

/**
 * Keeps the port with a connection whose listener is closed. Connections to the port are refused, and the system does not choose it as a
 * free port. A server can still listen on it by number.
 */
export async function keepPort(): Promise<ReservedPort> {
  const listener = createServer();
  const connection = once(listener, "connection");
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const near = connect(port, "127.0.0.1");
  const [far] = (await connection) as [Socket];
  listener.close();
  return {
    port,
    release() {
      near.destroy();
      far.destroy();
    },
  };
}
