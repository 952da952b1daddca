// The sandbox process: a control server on loopback, guarded by a random token, and one server for each registered pack. The process ends
// with the process that started it.
import "./quiet-console.ts";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createOnce } from "../../base/create-once.ts";
import { PackAuthError, reportOf } from "../errors.ts";
import { canonicalPath } from "../files/file-names.ts";
import { sendJson } from "./api.ts";
import { type PackServer, servePack } from "./pack-server.ts";
import type { AddressRequest, RegisterRequest, RegisterResponse, SampleRequest, SwitchRequest } from "./protocol.ts";
import { readBody } from "./read-body.ts";
import type { SandboxSwitches } from "./switches.ts";

const token = randomBytes(24).toString("base64url");
/** The registered packs by the canonical path of their entries: a window and a terminal may use two names for one pack. */
const packs = new Map<string, Promise<PackServer>>();

async function register(request: RegisterRequest): Promise<RegisterResponse> {
  const pack = await createOnce(packs, canonicalPath(request.entry), servePack);
  return pack.update(request);
}

async function registered(entry: string): Promise<PackServer> {
  const pack = await packs.get(canonicalPath(entry));
  if (pack === undefined)
    throw new PackAuthError("sandbox-failed", "The pack is not in this sandbox.", { hint: "Connect it with the sandbox first." });
  return pack;
}

async function change(text: string): Promise<SandboxSwitches> {
  const request = JSON.parse(text) as SwitchRequest;
  return (await registered(request.entry)).change(request);
}

async function addSamples(text: string): Promise<object> {
  const { entry, samples } = JSON.parse(text) as SampleRequest;
  (await registered(entry)).addSamples(samples);
  return {};
}

async function addAddresses(text: string): Promise<object> {
  const { entry, addresses } = JSON.parse(text) as AddressRequest;
  (await registered(entry)).addExternalAddresses(addresses);
  return {};
}

/** The action for each path of the control server. It takes the request's body and returns the response's. */
const ACTIONS: Readonly<Record<string, (text: string) => Promise<object>>> = {
  "/packs": (text) => register(readRequest(text)),
  "/switches": change,
  "/samples": addSamples,
  "/addresses": addAddresses,
};

function readRequest(text: string): RegisterRequest {
  try {
    const request = JSON.parse(text) as RegisterRequest;
    if (typeof request.entry === "string" && typeof request.name === "string" && Array.isArray(request.definition.networkDomains))
      return request;
  } catch {
    // The error is thrown below.
  }
  throw new PackAuthError("sandbox-failed", "The sandbox does not understand this registration.", {
    hint: "The sandbox that is running may be of another version: stop it and start it again.",
  });
}

async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const authorization = Buffer.from(request.headers.authorization ?? "");
  const expectedAuthorization = Buffer.from(`Bearer ${token}`);
  if (authorization.length !== expectedAuthorization.length || !timingSafeEqual(authorization, expectedAuthorization))
    return sendJson(response, 401, { message: "This is the control address of a Pack Auth sandbox, and the token is not its own." });
  const { url = "" } = request;
  const action = Object.hasOwn(ACTIONS, url) ? ACTIONS[url] : undefined;
  if (request.method !== "POST" || action === undefined)
    return sendJson(response, 404, { message: `The sandbox knows ${Object.keys(ACTIONS).join(", ")} only, by POST.` });
  try {
    sendJson(response, 200, await action(await readBody(request)));
  } catch (error) {
    sendJson(response, 400, reportOf(error));
  }
}

const end = (): never => process.exit(0);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
if (process.send) process.on("disconnect", end);
else process.stdin.on("end", end).on("error", end).resume();

const server = createServer((request, response) => void control(request, response));
server.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/#${token}`;
  if (process.send) process.send({ url });
  else process.stdout.write(`${url}\n`);
});
