// What every server here has in common: TLS with the test's certificate, its addresses as a line of JSON on stdout, clients that the test
// registers over the process's channel, a clock that the test sets, and an end with the test.
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { inspect } from "node:util";

let ahead = 0;
const { Date: RealDate } = globalThis;
// Tokens expire when the test says so: nobody waits, and a slow machine changes nothing.
globalThis.Date = class extends RealDate {
  constructor(...dateArguments) {
    super(...(dateArguments.length === 0 ? [RealDate.now() + ahead] : dateArguments));
  }
  static now() {
    return RealDate.now() + ahead;
  }
};

/**
 * `make` is given the origin and what the test wants (`lifetime`: seconds of an access token; `tell`: sends something to the test), and gives
 * the request handler, the addresses, and `register`, which takes `{ clientId, clientSecret, redirectUri }`.
 */
export async function serve(make) {
  const { key, cert, ...options } = JSON.parse(process.argv[2]);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `https://localhost:${server.address().port}`;
  const { handler, register, ...addresses } = await make({ origin, tell: (message) => process.send(message), ...options });
  server.on("request", handler);
  process.on("message", async ({ register: client, later }) => {
    ahead += (later ?? 0) * 1_000;
    try {
      if (client !== undefined) await register(client);
      process.send({ done: true });
    } catch (error) {
      process.send({ failed: inspect(error) });
    }
  });
  process.once("disconnect", () => process.exit());
  console.log(JSON.stringify({ origin, ...addresses }));
}
