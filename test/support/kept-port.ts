// A port of this machine on which nobody listens until the test does. One that was merely found free may be another's a moment later:
// other tests run beside this one.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface ReservedPort {
  readonly port: number;
  release(): void;
}

/**
 * Kept by a connection whose listener is gone: whoever connects is refused, whoever listens on any port is given another one, and
 * whoever listens on this one gets it.
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
