// The process of the stand-in (public-api.ts): an HTTP proxy whose every tunnel ends at its own TLS server. The compiler holds the answers
// to the types that the Packs SDK declares.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type {
  PublicApiCreatePackVersionRequest,
  PublicApiCreatePackVersionResponse,
  PublicApiGetNextPackVersionRequest,
  PublicApiNextPackVersionInfo,
  PublicApiPackLog,
  PublicApiPackLogContext,
  PublicApiPackLogsList,
  PublicApiPackOauthConfigMetadata,
  PublicApiPackVersion,
  PublicApiPackVersionDiffs,
  PublicApiPackVersionList,
  PublicApiPackVersionUploadInfo,
  PublicApiRegisterPackVersionRequest,
  PublicApiSetPackOauthConfigRequest,
} from "@codahq/packs-sdk/dist/helpers/external-api/v1";
import { certificateOf } from "./certificates.ts";
import type { ApiState, Change, FromChild, RecordedRequest, StartOrder, ToChild, Wire } from "./public-api-types.ts";

/** Entries of a page without `limit`. */
const PAGE = 100;

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

class Refusal extends Error {
  readonly answer: Answer;

  constructor(status: number, message: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.answer = { status, headers, body: { statusCode: status, statusMessage: message, message, ...more } };
  }
}

class StandIn {
  #order: StartOrder;
  readonly #requests: RecordedRequest[] = [];
  readonly #versions: Wire<PublicApiPackVersion>[];
  readonly #uploads = new Map<string, { bundleHash: string; file?: string; isComplete: boolean }>();
  #client: { clientId: string; clientSecret: string };
  #redirectUri: string;

  constructor(order: StartOrder) {
    this.#order = order;
    this.#versions = order.versions.map((version) => this.#version(version));
    const { clientId = "", clientSecret = "", redirectUri } = order.oauthConfig;
    this.#client = { clientId, clientSecret };
    this.#redirectUri = redirectUri ?? `https://docs.superhuman.com/packsAuth/oauth2/${order.packId}`;
  }

  change(change: Change): void {
    this.#order = { ...this.#order, ...change };
  }

  get state(): ApiState {
    return { requests: this.#requests, versions: this.#versions, client: this.#client, uploads: Object.fromEntries(this.#uploads) };
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const { method = "", url = "", headers } = request;
    const host = headers.host ?? "";
    this.#requests.push({ host, method, path: url, headers, body });
    if (host === this.#order.uploadHost) return this.#receive(request, response, url, body);
    const { closed, slow, hugeBody, notJson } = this.#order.faults;
    if (closed === true) return void request.socket.destroy();
    if (slow === true || (typeof slow === "number" && this.#requests.length > slow))
      return void response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    if (hugeBody === true) return void response.end(`{"items":[],"more":"${"x".repeat(20 * 1024 * 1024)}"}`);
    if (notJson === true) return void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Welcome");
    let answer: Answer;
    try {
      answer = { body: this.#answer(method, new URL(url, `https://${host}`), headers.authorization ?? "", body) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      ({ answer } = error);
    }
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers }).end(JSON.stringify(answer.body));
  }

  #receive(request: IncomingMessage, response: ServerResponse, url: string, body: string): void {
    const { lostPut } = this.#order.faults;
    if (lostPut === "cut") return void request.socket.destroy();
    if (lostPut === "never") return;
    if (lostPut === "500") return void response.writeHead(500).end("<Error>InternalError</Error>");
    const upload = this.#uploads.get(decodeURIComponent(/^\/files\/([^?]*)\?signature=stand-in$/.exec(url)?.[1] ?? ""));
    if (request.method !== "PUT" || upload === undefined || request.headers["x-stand-in-upload"] !== "yes")
      return void response.writeHead(403).end("<Error>AccessDenied</Error>");
    if (lostPut !== "silently") upload.file = body;
    response.writeHead(200).end();
  }

  #answer(method: string, { pathname, searchParams }: URL, authorization: string, body: string): unknown {
    const { faults, token, packId, docId } = this.#order;
    if (faults.redirecting !== undefined) throw new Refusal(307, "Temporary Redirect", {}, { location: faults.redirecting });
    if (faults.echoesToken === true) throw new Refusal(500, `Unexpected header ${authorization}`);
    if (faults.unavailable === true) throw new Refusal(503, "Service Unavailable");
    if (authorization !== `Bearer ${token}`) throw new Refusal(401, "Unauthorized");
    if (faults.forbidden === true) throw new Refusal(403, "Forbidden");
    if (faults.limited !== undefined)
      throw new Refusal(429, "Too Many Requests", {}, faults.limited === "" ? {} : { "retry-after": faults.limited });
    const path = pathname.split("/").slice(3).map(decodeURIComponent);
    if (!pathname.startsWith("/apis/v1/") || faults.otherTenant === true) throw notFound();
    if (path[0] === "go" && path[1] === "tenants" && path[3] === "agentInstances" && path[5] === "logs") return this.#logs(searchParams);
    if (path[0] !== "packs" || path[1] !== String(packId)) throw notFound();
    const [, , first, second, third, fourth] = path;
    switch (`${method} ${first} ${third ?? ""}`.trim()) {
      case "GET oauthConfig":
        return this.#config();
      case "PUT oauthConfig":
        return this.#setConfig(JSON.parse(body) as PublicApiSetPackOauthConfigRequest);
      case "POST nextVersion":
        return this.#nextVersion(JSON.parse(body) as PublicApiGetNextPackVersionRequest);
      case "GET versions":
        return this.#listVersions(searchParams);
      case "GET versions diff":
        return this.#diffs(second ?? "", fourth ?? "");
      case "POST versions register":
        return this.#register(second ?? "", JSON.parse(body) as PublicApiRegisterPackVersionRequest);
      case "POST versions uploadComplete":
        return this.#complete(second ?? "", JSON.parse(body) as PublicApiCreatePackVersionRequest);
      case "GET docs logs":
        if (second !== docId) throw notFound();
        return this.#logs(searchParams);
      default:
        throw notFound();
    }
  }

  #config(): PublicApiPackOauthConfigMetadata {
    const { clientId: _id, clientSecret: _secret, ...configuration } = this.#order.oauthConfig;
    return {
      authorizationUrl: "https://provider.example/authorize",
      tokenUrl: "https://provider.example/token",
      ...configuration,
      redirectUri: this.#redirectUri,
      maskedClientId: masked(this.#client.clientId),
      maskedClientSecret: masked(this.#client.clientSecret),
    };
  }

  #setConfig({ clientId, clientSecret, redirectUri }: PublicApiSetPackOauthConfigRequest): PublicApiPackOauthConfigMetadata {
    this.#client = { clientId: clientId ?? this.#client.clientId, clientSecret: clientSecret ?? this.#client.clientSecret };
    this.#redirectUri = redirectUri ?? this.#redirectUri;
    return this.#config();
  }

  #nextVersion({ proposedMetadata }: PublicApiGetNextPackVersionRequest): PublicApiNextPackVersionInfo {
    JSON.parse(proposedMetadata);
    const [major = 0, minor = 0] = (this.#versions[0]?.packVersion ?? "0").split(".").map(Number);
    return { nextVersion: `${major}.${minor + 1}.0`, ...this.#findings() };
  }

  #diffs(base: string, target: string): PublicApiPackVersionDiffs {
    for (const version of [base, target]) if (!this.#versions.some(({ packVersion }) => packVersion === version)) throw notFound();
    return this.#findings();
  }

  #findings(): PublicApiPackVersionDiffs {
    const findingDetails = [...(this.#order.findings ?? [{ finding: "Added formula GetTask.", path: "formulas[0]" }])];
    return { findings: findingDetails.map(({ finding }) => finding), findingDetails };
  }

  #register(version: string, { bundleHash }: PublicApiRegisterPackVersionRequest): PublicApiPackVersionUploadInfo {
    if (!/^\d+(\.\d+){0,2}(-prerelease\.\d+)?$/.test(version) || !/^[\da-f]{64}$/.test(bundleHash)) throw new Refusal(400, "Bad Request");
    if (this.#versions.some(({ packVersion }) => packVersion === version)) throw new Refusal(400, `Version ${version} exists already.`);
    this.#uploads.set(version, { bundleHash, isComplete: false });
    return {
      uploadUrl: `https://${this.#order.uploadHost}/files/${encodeURIComponent(version)}?signature=stand-in`,
      headers: { "x-stand-in-upload": "yes" },
    };
  }

  #complete(version: string, { notes = "" }: PublicApiCreatePackVersionRequest): PublicApiCreatePackVersionResponse {
    const upload = this.#uploads.get(version);
    const { validationErrors, lostVersion } = this.#order.faults;
    if (upload?.isComplete === true) throw new Refusal(400, `Version ${version} exists already.`);
    if (upload?.file === undefined) throw new Refusal(400, `No file was uploaded for version ${version}.`);
    if (createHash("sha256").update(upload.file).digest("hex") !== upload.bundleHash)
      throw new Refusal(400, "The uploaded file does not have the registered hash.");
    if (validationErrors !== undefined) throw new Refusal(400, "Pack metadata failed validation", { validationErrors });
    upload.isComplete = true;
    if (lostVersion !== true) this.#versions.unshift(this.#version({ packVersion: version, buildNotes: notes }));
    return { deprecationWarnings: [{ path: "formulas[0].schema", message: "This property is deprecated." }] };
  }

  #version(version: Partial<Wire<PublicApiPackVersion>>): Wire<PublicApiPackVersion> {
    return {
      packId: this.#order.packId,
      buildNotes: "",
      createdAt: "2026-01-01T00:00:00.000Z",
      creationUserLoginId: "maker@example.com",
      packVersion: "1.0.0",
      ...version,
    };
  }

  #listVersions(parameters: URLSearchParams): Wire<PublicApiPackVersionList> {
    return { ...this.#page(this.#versions, parameters), creationUsers: [] };
  }

  #logs(parameters: URLSearchParams): Wire<PublicApiPackLogsList> {
    const { logs, faults } = this.#order;
    const count = faults.entries ?? 20;
    const all = logs.length > 0 ? logs : Array.from({ length: count }, (_, index) => sampleLog(index, this.#context(index)));
    const types = parameters.get("logTypes")?.split(",");
    const text = parameters.get("q") ?? "";
    const before = parameters.get("beforeTimestamp") ?? "~";
    const after = parameters.get("afterTimestamp") ?? "";
    const matching = all.filter(
      (entry) =>
        (types === undefined || types.includes(entry.type)) &&
        JSON.stringify(entry).includes(text) &&
        entry.context.createdAt < before &&
        entry.context.createdAt > after,
    );
    const page = this.#page(matching, parameters);
    return faults.unknownLogTypes === true
      ? { ...page, items: [...page.items, ...(undeclaredLogs(this.#context(0)) as Wire<PublicApiPackLog>[])] }
      : page;
  }

  #context(index: number): Wire<PublicApiPackLogContext> {
    return {
      docId: this.#order.docId,
      packId: String(this.#order.packId),
      packVersion: "1.0.0",
      formulaName: "GetTask",
      userId: "user-1",
      connectionId: `connection-${index % 3}`,
      connectionName: `Account ${index % 3}`,
      requestId: `request-${Math.floor(index / 4)}`,
      requestType: "invokeSyncFormulaRequest",
      createdAt: new Date(Date.UTC(2026, 0, 1) - index * 1000).toISOString(),
      logId: `log-${index}`,
      detailsKey: `details-${index}`,
    };
  }

  /** Returns the page that the token names: the index of its first item, and the whole query. */
  #page<T>(all: readonly T[], parameters: URLSearchParams): { items: T[]; nextPageToken?: string } {
    const [start = 0, limit = PAGE] = (parameters.get("pageToken") ?? `0.${parameters.get("limit") ?? PAGE}`).split(".").map(Number);
    const items = all.slice(start, start + limit);
    if (this.#order.faults.repeatingPageToken === true) return { items, nextPageToken: `0.${limit}` };
    return start + limit < all.length ? { items, nextPageToken: `${start + limit}.${limit}` } : { items };
  }
}

const notFound = (): Refusal => new Refusal(404, "Not Found");

const masked = (text: string): string => (text === "" ? "" : `••••${text.slice(-4)}`);

function sampleLog(index: number, context: Wire<PublicApiPackLogContext>): Wire<PublicApiPackLog> {
  switch (index % 5) {
    case 0:
      return { type: "auth", context, path: "/oauth2/token", errorMessage: "The token endpoint answers 400: invalid_grant." };
    case 1:
      return {
        type: "fetcher",
        context,
        method: "GET",
        baseUrl: "https://api.example.com/tasks",
        responseCode: 401,
        duration: 120,
        cacheHit: false,
        requestSizeBytes: 200,
        responseSizeBytes: 90,
      };
    case 2:
      return {
        type: "invocation",
        context,
        duration: 230,
        error: { message: "Unauthorized", stack: "Error: Unauthorized\n    at bundle.js:1:1" },
      };
    case 3:
      return { type: "mcp", context, message: "tools/list" };
    default:
      return { type: "custom", context, message: "hello", level: "info" };
  }
}

/** Entries that no declared type describes. */
const undeclaredLogs = (context: Wire<PublicApiPackLogContext>): readonly unknown[] => [
  { type: "quantumLog", context, spin: "up" },
  { type: "auth", context, path: 7 },
  { type: "fetcher", context: "none", responseCode: "401" },
  "a text",
  null,
];

async function start(order: StartOrder): Promise<FromChild> {
  const standIn = new StandIn(order);
  const { key, cert } = await certificateOf(order.hosts);
  current = standIn;
  const secure = createTlsServer({ key, cert }, (request, response) => {
    standIn.handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const tunnels = new Set<Socket>();
  // Tunnels end in this process, whatever host they name, so that no request of a test can leave the machine.
  const proxy = createServer((_request, response) => response.writeHead(501).end()).on("connect", (_request, socket: Socket) => {
    tunnels.add(socket);
    socket.on("error", () => {});
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    secure.emit("connection", socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  stop = () => {
    proxy.close();
    for (const socket of tunnels) socket.destroy();
  };
  return { port: (proxy.address() as AddressInfo).port, certificate: cert };
}

let current: StandIn | undefined;
let stop = (): void => {};

process.on("message", (message: ToChild) => {
  if (message === "stop") stop();
  else if (message !== "state" && "change" in message) current?.change(message.change);
  if (typeof message === "string" || "change" in message) process.send?.(current?.state);
  else void start(message.start).then((started) => process.send?.(started));
});
process.on("disconnect", () => process.exit(0));
