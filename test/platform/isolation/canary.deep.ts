// A canary secret through a whole session: connect, name, run, failure. It is looked for in everything that crosses to the pack's
// process, in reports, logs, metadata and files; the secret store and the wire are the only places where it may be.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { toCurl } from "../../../client/webview/requests/curl.ts";
import { toHar } from "../../../client/webview/requests/har.ts";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { makeHost } from "../../support/platform-host.ts";
import { run } from "../../support/run.ts";

const CANARY = 'canary/+"7f3a&Zq secret';

/** Every form that a person searching a log would think of. */
const FORMS = [
  CANARY,
  encodeURIComponent(CANARY),
  JSON.stringify(CANARY).slice(1, -1),
  Buffer.from(CANARY).toString("base64"),
  Buffer.from(CANARY).toString("hex"),
  "7f3a&Zq",
  "7f3a%26Zq",
];

const OAUTH_REPLIES = { "Client ID": "client", "Client secret": CANARY, "address to register at": "open" };

/** `$PORT` stands for the server's. */
const TYPES: Readonly<Record<string, { config: string; replies: Record<string, string> }>> = {
  HeaderBearerToken: { config: "", replies: { Paste: CANARY } },
  CustomHeaderToken: { config: 'headerName: "X-Key", tokenPrefix: "k",', replies: { Paste: CANARY } },
  QueryParamToken: { config: 'paramName: "key",', replies: { Paste: CANARY } },
  WebBasic: { config: "", replies: { "User name": "me", Password: CANARY } },
  Custom: { config: 'params: [{ name: "key", description: "The key" }],', replies: { "The key": CANARY } },
  MultiHeaderToken: { config: 'headers: [{ name: "X-Key", description: "The key" }],', replies: { "The key": CANARY } },
  MultiQueryParamToken: { config: 'params: [{ name: "key", description: "The key" }],', replies: { "The key": CANARY } },
  OAuth2: {
    config: 'authorizationUrl: "http://127.0.0.1:$PORT/authorize", tokenUrl: "http://127.0.0.1:$PORT/token",',
    replies: OAUTH_REPLIES,
  },
  // Of the secret key only signatures go on the wire.
  AWSAccessKey: {
    config: 'service: "execute-api",',
    replies: { "The access key ID": "AKIAIOSFODNN7EXAMPLE", "secret access key": CANARY },
  },
  AWSAssumeRole: {
    config: 'service: "execute-api",',
    replies: {
      "ARN of the role": "arn:aws:iam::123456789012:role/mine",
      "external ID": "an-external-id",
      "access key ID of a user": "AKIAIOSFODNN7EXAMPLE",
      "secret access key": CANARY,
    },
  },
  OAuth2ClientCredentials: { config: 'tokenUrl: "http://127.0.0.1:$PORT/token",', replies: OAUTH_REPLIES },
};

describe("Secrecy of credentials", function () {
  this.timeout(60_000);
  let server: Server;
  let port: number;
  let onWire = 0;
  before((onReady) => {
    // An API at its worst: everything it got comes back, in headers, body and errors.
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const all = JSON.stringify({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      if (FORMS.some((form) => all.includes(form)) || all.includes("Basic ") || all.includes("AWS4-HMAC-SHA256")) onWire++;
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      if (url.pathname === "/authorize") {
        const back = new URL(url.searchParams.get("redirect_uri") ?? "");
        back.search = new URLSearchParams({ code: `code-${CANARY}`, state: url.searchParams.get("state") ?? "" }).toString();
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      if (url.pathname === "/token") {
        const tokens = { access_token: CANARY, refresh_token: `refresh-${CANARY}`, expires_in: 3600, echo: all };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(tokens));
        return;
      }
      if (url.pathname === "/sts") {
        // The session's own keys are the canary too.
        const key = CANARY.replaceAll("&", "&amp;");
        response.writeHead(200, { "content-type": "text/xml" });
        response.end(
          `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>${key}</SecretAccessKey><SessionToken>session-${key}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
        );
        return;
      }
      if (url.pathname.startsWith("/.well-known/")) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(request.url?.includes("fail") ? 500 : 200, {
        "content-type": "application/json",
        "x-echo": encodeURIComponent(all).slice(0, 2_000),
      });
      response.end(all);
    }).listen(0, "127.0.0.1", () => {
      port = (server.address() as AddressInfo).port;
      onReady();
    });
  });
  afterEach(closePacks);
  after(() => {
    server.close();
    server.closeAllConnections();
    removePackFiles();
  });

  for (const [type, { config, replies }] of Object.entries(TYPES)) {
    it(`auth-spec 1 secrecy: a credential of ${type} is only in the store and on the wire`, async () => {
      onWire = 0;
      const custom = type === "Custom" ? "?key={{key-${context.invocationToken}}}" : "";
      const entry = packFiles({
        "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
const url = (context: any, path: string) => \`http://127.0.0.1:${port}/\${path}${custom}\`;
pack.setUserAuthentication({
  type: coda.AuthenticationType.${type}, ${config.replaceAll("$PORT", String(port))}
  getConnectionName: async (context) => { const r = await context.fetcher.fetch({ method: "GET", url: url(context, "me") }); console.log(r.body, context); return JSON.stringify(r.body); },
} as any);
pack.addFormula({
  name: "Leak", description: "Tries to tell.", parameters: [], resultType: coda.ValueType.String,
  execute: async (args: any, context: any): Promise<any> => {
    const r = await context.fetcher.fetch({ method: "POST", url: url(context, "x"), body: "text" });
    console.log(JSON.stringify(r), r.headers, context);
    try { await context.fetcher.fetch({ method: "GET", url: url(context, "fail") }); } catch (e: any) { console.error(e, e.message, JSON.stringify(e)); }
    if (JSON.stringify(r.body).includes("7f3a")) throw new Error("the pack can read it: " + JSON.stringify(r.body));
    throw new Error(JSON.stringify(r));
  },
});
`,
      });
      const host = makeHost({
        replies: { ...replies },
        // The token service of AWS stands at an address of its own.
        fetch: (address, init) => fetch(address.replace("https://sts.amazonaws.com/", `http://127.0.0.1:${port}/sts`), init),
      });
      const accounts = openAccounts(host);
      const crossed: unknown[] = [];
      const loadedPack = await pack(entry);
      const watched: Pack = {
        ...loadedPack,
        execute: (target, parameters, context, handlers, options) => {
          crossed.push(target, parameters, context);
          return loadedPack.execute(
            target,
            parameters,
            context,
            {
              ...handlers,
              fetch: async (request, signal) => {
                const result = await handlers.fetch(request, signal);
                crossed.push(result);
                return result;
              },
            },
            options,
          );
        },
      };
      const observations: unknown[] = [];
      const observe = {
        onRequest: (trace: unknown) => void observations.push(trace),
        onConsole: (entry: unknown) => void observations.push(entry),
        allowLoopback: true,
      };
      const connected = await connect(watched, {
        scope: "user",
        packName: "canary",
        host,
        accounts,
        world: { allowLoopback: true },
        redirect: { host: "localhost", port: 0, path: "/oauth" },
      });
      assert.ok(connected);
      const credential = await accounts.credential(connected.account.id);
      assert.ok(credential);
      const report = await run(watched, { kind: "formula", name: "Leak" }, [], {
        fetch: host.fetch,
        account: { scope: "user", credential },
        ...observe,
      });
      assert.equal(report.outcome.status, "failed");
      assert.ok(onWire >= 2, "the credential was sent");
      assert.ok(
        [...host.secretValues.values()].some((value) => value.includes("7f3a")),
        "the credential is stored",
      );

      const files = readdirSync(host.storageFolder, { recursive: true, encoding: "utf8" })
        .map((name) => join(host.storageFolder, name))
        .filter((path) => statSync(path).isFile())
        .map((path) => readFileSync(path, "latin1"));
      const everything = JSON.stringify([
        crossed,
        observations,
        report,
        connected.account,
        [...host.states],
        host.logged,
        host.openedUrls,
        host.prompts,
        files,
        // What leaves the panel.
        report.requests.map(toCurl),
        toHar(report.requests),
      ]);
      for (const form of FORMS) assert.ok(!everything.includes(form), `found as ${form}`);
    });
  }
});
