// One pack's sandbox: a loopback server on a port of its own, its provider and its API, shaped by the pack's configuration.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { createRedactor } from "../redact.ts";
import { knowSecrets } from "../run.ts";
import { type Answer, findAnswer, readAnswers, type SandboxAnswers } from "./answers.ts";
import { type ApiRequest, makeSecrets, missingCredential, type SandboxSecrets } from "./credentials.ts";
import type { RegisterRequest, RegisterResponse, SandboxCredentials } from "./protocol.ts";
import { createProvider, readText, type SandboxProvider } from "./provider.ts";

export interface PackServer {
  readonly response: RegisterResponse;
  close(): void;
}

interface Side {
  readonly auth: AuthenticationDefinition;
  readonly secrets: SandboxSecrets;
  readonly provider?: SandboxProvider;
}

export async function servePack(request: RegisterRequest): Promise<PackServer> {
  // Read once now, so that a bad file is told at once; read again for each answer, so that edits take effect.
  const first = readAnswers(request.answersFile);
  const sides: Side[] = [];
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing, request, sides).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(500, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ sandbox: error instanceof Error ? error.message : "failed" }));
    });
  });
  const port = await listen(server);
  const origin = `http://127.0.0.1:${port}`;
  const { definition } = request;
  for (const auth of [definition.userAuthentication, definition.systemAuthentication])
    if (auth !== undefined) sides.push(makeSide(auth, request, origin, first));
  const of = (auth: AuthenticationDefinition | undefined): SandboxCredentials | undefined => {
    const side = sides.find((candidate) => candidate.auth === auth);
    if (side === undefined) return undefined;
    const { client, credential, endpoint } = side.secrets;
    return {
      clientCredentials: client,
      ...(credential === undefined ? {} : { credential }),
      ...(endpoint === undefined ? {} : { endpoint }),
    };
  };
  const user = of(definition.userAuthentication);
  const system = of(definition.systemAuthentication);
  return {
    response: {
      origin,
      browserOrigin: `http://provider.localhost:${port}`,
      ...(user === undefined ? {} : { user }),
      ...(system === undefined ? {} : { system }),
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function makeSide(auth: AuthenticationDefinition, request: RegisterRequest, origin: string, answers: SandboxAnswers): Side {
  const secrets = makeSecrets(auth, request.definition, answers.endpoint);
  if ((auth.type !== "OAuth2" && auth.type !== "OAuth2ClientCredentials") || auth.tokenUrl === undefined) return { auth, secrets };
  const path = (value: string): string => {
    const url = new URL(value.startsWith("/") && secrets.endpoint !== undefined ? `${secrets.endpoint}${value}` : value);
    return `/${url.host}${url.pathname}`;
  };
  const provider = createProvider({
    issuer: origin,
    packName: request.name,
    auth,
    client: secrets.client,
    tokenPath: path(auth.tokenUrl),
    tokenLifetime: answers.tokenLifetime ?? 3_600,
    ...(auth.authorizationUrl === undefined ? {} : { authorizationPath: path(auth.authorizationUrl) }),
    ...(secrets.endpoint === undefined ? {} : { endpoint: secrets.endpoint }),
  });
  return { auth, secrets, provider };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  request: RegisterRequest,
  sides: readonly Side[],
): Promise<void> {
  for (const side of sides) if (side.provider && (await side.provider.handle(incoming, outgoing))) return;
  const match = /^\/([^/?]+)(.*)$/.exec(incoming.url ?? "/");
  if (match === null || !URL.canParse(`https://${match[1]}${match[2]}`))
    return send(outgoing, 404, { sandbox: "Nothing is here. The API stands under /<host>/<path>." });
  const api: ApiRequest = { url: new URL(`https://${match[1]}${match[2]}`), headers: incoming.headers, body: await readText(incoming) };
  const found = findAnswer(readAnswers(request.answersFile).answers, incoming.method ?? "GET", api.url);
  const problem = found?.authenticate === false ? undefined : await authenticationProblem(api, sides);
  if (problem !== undefined) {
    outgoing.setHeader("www-authenticate", 'Bearer realm="sandbox", error="invalid_token"');
    return send(outgoing, 401, { error: "unauthorized", message: `The sandbox did not find the credential: ${problem}.` });
  }
  if (found !== undefined) return sendAnswer(outgoing, found);
  send(outgoing, 200, echo(api, incoming.method ?? "GET", sides));
}

/** A pack with user and system authentication may send either. */
async function authenticationProblem(api: ApiRequest, sides: readonly Side[]): Promise<string | undefined> {
  let problem: string | undefined;
  for (const side of sides) {
    problem = await missingCredential(api, side.auth, side.secrets, (token) => side.provider?.accepts(token) ?? Promise.resolve(false));
    if (problem === undefined) return undefined;
  }
  return problem;
}

function sendAnswer(outgoing: ServerResponse, found: Answer): void {
  const isText = typeof found.body === "string";
  outgoing.writeHead(found.status ?? 200, { "content-type": isText ? "text/plain; charset=utf-8" : "application/json", ...found.headers });
  outgoing.end(found.body === undefined ? undefined : isText ? (found.body as string) : JSON.stringify(found.body));
}

/** The request back as JSON, its credentials masked: what the author sees where sandbox.json names nothing. */
function echo(api: ApiRequest, method: string, sides: readonly Side[]): unknown {
  const redactor = createRedactor();
  for (const side of sides) knowSecrets(redactor, side.secrets.credential);
  const { authorization, host: _host, connection: _connection, ...headers } = api.headers;
  return redactor.redactValue({
    sandbox: "echo",
    method,
    url: maskTokenParameters(api.url, sides),
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization: String(authorization).replace(/\S+$/, "••••") }) },
    body: api.body,
  });
}

function maskTokenParameters(url: URL, sides: readonly Side[]): string {
  const copy = new URL(url);
  for (const { auth } of sides)
    for (const name of [auth.tokenQueryParam, auth.paramName])
      if (name !== undefined && copy.searchParams.has(name)) copy.searchParams.set(name, "••••");
  return decodeURI(copy.href);
}

function send(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}
