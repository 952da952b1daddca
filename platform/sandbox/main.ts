// The sandbox process: a control server on loopback behind a random token, and one server for each registered pack. It ends with
// the process that started it.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { reportOf } from "../errors.ts";
import { type PackServer, servePack } from "./pack-server.ts";
import type { RegisterRequest } from "./protocol.ts";
import { readText } from "./provider.ts";

const token = randomBytes(24).toString("base64url");
const packs = new Map<string, { readonly shape: string; readonly server: Promise<PackServer> }>();

/** The same entry with the same authentication keeps its port, credentials and issued tokens. */
function register(request: RegisterRequest): Promise<PackServer> {
  const { userAuthentication, systemAuthentication, networkDomains } = request.definition;
  const shape = JSON.stringify([userAuthentication, systemAuthentication, networkDomains, request.answersFile]);
  const known = packs.get(request.entry);
  if (known?.shape === shape) return known.server;
  known?.server.then(
    (server) => server.close(),
    () => {},
  );
  const server = servePack(request);
  packs.set(request.entry, { shape, server });
  server.catch(() => packs.delete(request.entry));
  return server;
}

async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const given = Buffer.from(request.headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    return reply(response, 401, { message: "This is the Pack Auth sandbox's control address." });
  if (request.method !== "POST" || request.url !== "/packs") return reply(response, 404, { message: "Unknown." });
  try {
    const server = await register(JSON.parse(await readText(request)) as RegisterRequest);
    reply(response, 200, server.response);
  } catch (error) {
    reply(response, 400, reportOf(error));
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

// oidc-provider tells of its own development notices on the console; they are not for the author.
console.info = console.warn = () => {};
process.on("disconnect", () => process.exit(0));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(0));

const server = createServer((request, response) => void control(request, response));
server.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/#${token}`;
  if (process.send) process.send({ url });
  else process.stdout.write(`${url}\n`);
});
