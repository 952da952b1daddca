// What the command line says where something fails: the field with its file and line, why the pack's own function failed, and the remedy
// for a certificate that this machine does not know.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callCli, callProgram, storedIn } from "../../support/call-cli.ts";
import { selfSigned } from "../../support/certificates.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
`;
const CLIENT = ["the-id", "the-secret"];

describe("failures on the command line", function () {
  this.timeout(60_000);
  let home: string;
  let api: HttpServer;
  let tls: TlsServer;
  before(async () => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-failures-"));
    writeFileSync(join(home, "own-ca.pem"), (await selfSigned()).cert);
    api = createServer(({ url, headers }, response) => {
      if (url !== "/guarded") response.writeHead(418).end("short and stout");
      else if (headers.authorization === "Bearer the-right-token") response.end('{"name":"alice"}');
      else response.writeHead(401).end();
    });
    tls = createTlsServer(await selfSigned(), (_request, response) =>
      response.setHeader("content-type", "application/json").end('{"access_token":"the-access-token"}'),
    );
    for (const server of [api, tls]) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(() => {
    for (const server of [api, tls]) server.close();
    removePackFiles();
    rmSync(home, { recursive: true, force: true });
  });
  const addressOf = (server: HttpServer | TlsServer): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const call = (pack: string, args: readonly string[], lines: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    callCli(args, { cwd: dirname(pack), lines, env: { ...storedIn(join(home, "home")), ...env } });

  const machine = (tokenUrl: string): string => `${HEAD}pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2ClientCredentials,
  tokenUrl: ${tokenUrl},
} as any);
`;

  it("a failed connect names the configuration field and its position", async () => {
    const pack = packFiles({ "pack.ts": machine(`"http://${addressOf(api)}/nothing"`) });
    const { code, err } = await call(pack, ["connect", "pack.ts"], CLIENT);
    assert.equal(code, 1);
    assert.match(err, /^ {4}at userAuthentication\.tokenUrl \(pack\.ts:6:3\)$/m);
  });

  it("a failed connect names the field's file, or the setter when the field is missing", async () => {
    const pack = packFiles({
      "pack.ts": `${HEAD}import { login } from "./login";\npack.setUserAuthentication(login as any);\n`,
      "login.ts": `import * as coda from "@codahq/packs-sdk";\nexport const login = {\n  type: coda.AuthenticationType.OAuth2ClientCredentials,\n  tokenUrl: "http://login.example/token" };\n`,
    });
    const plain = await call(pack, ["connect", "pack.ts"], CLIENT);
    assert.match(plain.err, /not https.*\n {4}at userAuthentication\.tokenUrl \(login\.ts:4:3\)$/m);
    const bare = packFiles({
      "pack.ts": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials } as any);\n`,
    });
    const none = await call(bare, ["connect", "pack.ts"], CLIENT);
    assert.match(none.err, /has no tokenUrl.*\n {4}at userAuthentication\.tokenUrl \(pack\.ts:4:6\)$/m);
  });

  it("an error while the pack loads shows the pack's own line", async () => {
    const pack = packFiles({ "pack.ts": `${HEAD}throw new Error("not today");\n` });
    const { code, err } = await call(pack, ["connect", "pack.ts"], []);
    assert.equal(code, 1);
    assert.match(err, /not today/);
    assert.match(err, /pack\.ts:4:7\)/);
  });

  const named = (): string =>
    packFiles({
      "pack.ts": `${HEAD}pack.setUserAuthentication({
  type: coda.AuthenticationType.HeaderBearerToken,
  getConnectionName: async (context: any) => (await context.fetcher.fetch({ method: "GET", url: "http://${addressOf(api)}/me" })).body.name,
});
`,
    });

  it("a failed getConnectionName shows reason and line, and --allow-loopback lets it reach this machine", async () => {
    const pack = named();
    const result = await call(pack, ["connect", "pack.ts"], ["the-token-of-nobody"]);
    assert.equal(result.code, 0, result.err);
    assert.match(result.err, /getConnectionName failed, so the account has the default name: .*http:\/\/ is not secure/);
    assert.match(result.err, /For a server on this machine, use --allow-loopback\./);
    assert.match(result.err, /^ {4}at .*\(pack\.ts:6:\d+\)$/m);
    const reached = await call(pack, ["connect", "pack.ts", "--allow-loopback"], ["the-token-of-nobody"]);
    assert.match(reached.err, /getConnectionName failed, .*: .*418.*short and stout/);
  });

  it("an account that the API refused is listed as refused until a sign-in works", async () => {
    const pack = packFiles({
      "pack.ts": `${HEAD}pack.setUserAuthentication({
  type: coda.AuthenticationType.HeaderBearerToken,
  getConnectionName: async (context: any) => (await context.fetcher.fetch({ method: "GET", url: "http://${addressOf(api)}/guarded" })).body.name,
});
`,
    });
    const env = { PACK_AUTH_HOME: join(home, "refused"), USER: "author" };
    const wrong = await call(pack, ["connect", "pack.ts", "--allow-loopback"], ["the-wrong-token", "Keep it"], env);
    assert.match(wrong.err, /The API refused this credential \(401\)\./);
    assert.equal(wrong.code, 1, wrong.out);
    assert.match(wrong.out, /^Saved, but refused: /);
    assert.match(
      (await call(pack, ["accounts"], [], env)).out,
      / · refused: the API refused the credential at its last use \(401\)\. Sign in again with a valid credential\.\n$/,
    );
    const listed = JSON.parse((await call(pack, ["accounts", "--json"], [], env)).out) as {
      accounts: readonly { id: string; state: string; nextStep: string }[];
    };
    const [{ id, state, nextStep } = { id: "", state: "", nextStep: "" }] = listed.accounts;
    assert.deepEqual([state, nextStep], ["refused", "Sign in again with a valid credential."]);
    const right = await call(pack, ["connect", "pack.ts", "--allow-loopback", "--again", id], ["the-right-token"], env);
    assert.equal(right.code, 0, right.err);
    assert.match((await call(pack, ["accounts"], [], env)).out, /^alice · .* · ready\n$/);
  });

  it("a system account is not signed in again as a user's", async () => {
    const pack = packFiles({
      "pack.ts": `${HEAD}pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`,
    });
    const env = { PACK_AUTH_HOME: join(home, "scopes"), USER: "author" };
    assert.equal((await call(pack, ["connect", "pack.ts", "--system"], ["the-system's-token"], env)).code, 0);
    const again = await call(pack, ["connect", "pack.ts", "--again", "author"], ["the-user's-token"], env);
    assert.deepEqual([again.code, again.err], [2, "pack-auth: There is no user account author. There are: none.\n"]);
    assert.match((await call(pack, ["accounts"], [], env)).out, /^author · .* · system · .*ready\n$/);
  });

  it("a successful check after a corrected prefix takes the account's refusal back", async () => {
    const source = (prefix: string) => `${HEAD}pack.setUserAuthentication({
  type: coda.AuthenticationType.CustomHeaderToken,
  headerName: "Authorization",
  tokenPrefix: "${prefix}",
  getConnectionName: async (context: any) => (await context.fetcher.fetch({ method: "GET", url: "http://${addressOf(api)}/guarded" })).body.name,
});
`;
    const pack = packFiles({ "pack.ts": source("Token") });
    const env = { PACK_AUTH_HOME: join(home, "prefix"), USER: "author" };
    const wrong = await call(pack, ["connect", "pack.ts", "--allow-loopback"], ["the-right-token", "Keep it"], env);
    assert.match(wrong.out, /\nAfter a change of the configuration check the account with pack-auth run <pack> Auth:getConnectionName\./);
    writeFileSync(pack, source("Bearer"));
    const checked = await call(pack, ["run", "pack.ts", "Auth:getConnectionName", "--allow-loopback"], [], env);
    assert.equal(checked.code, 0, checked.err);
    assert.match((await call(pack, ["accounts"], [], env)).out, /^\S+ account · .* · ready\n$/);
  });

  it("an account that nothing tried gets the command that checks it", async () => {
    const setter = `${HEAD}pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`;
    const connect = async (more: string) =>
      (await call(packFiles({ "pack.ts": setter + more }), ["connect", "pack.ts"], ["the-made-up-token"])).out;
    assert.match(await connect(""), /Run one of the pack's formulas to check it\. See pack-auth run --help\.$/m);
    const server = 'pack.addMCPServer({ name: "Acme", endpointUrl: "https://acme.example/mcp" });\n';
    assert.match(await connect(server), /^List the server's tools to check it: mcp:Acme\. See pack-auth run --help\.$/m);
  });

  it("an untrusted certificate gets a remedy, and the remedy works", async () => {
    const pack = packFiles({ "pack.ts": machine(`"https://${addressOf(tls)}/token"`) });
    const untrusted = await call(pack, ["connect", "pack.ts"], CLIENT);
    assert.equal(untrusted.code, 1);
    assert.match(untrusted.err, /certificate of 127\.0\.0\.1:\d+ is not trusted/);
    assert.match(untrusted.err, /NODE_EXTRA_CA_CERTS/);
    assert.doesNotMatch(untrusted.err, /packAuth\./);
    // Node reads the variable when it starts.
    const trusted = await callProgram(["connect", "pack.ts"], {
      cwd: dirname(pack),
      lines: CLIENT,
      env: { ...storedIn(join(home, "home")), NODE_EXTRA_CA_CERTS: join(home, "own-ca.pem") },
    });
    assert.equal(trusted.code, 0, trusted.err);
  });

  it("an untrusted certificate of the pack's API gets the remedy too", async () => {
    const pack = packFiles({
      "pack.ts": `${HEAD}pack.addFormula({ name: "Get", description: "g", resultType: coda.ValueType.String, parameters: [],
  execute: async (_: any, context: any) => (await context.fetcher.fetch({ method: "GET", url: "https://${addressOf(tls)}/" })).body.access_token } as any);
`,
    });
    const { code, err } = await call(pack, ["run", "pack.ts", "Get", "--allow-loopback"], []);
    assert.equal(code, 1);
    for (const remedy of [/is not trusted/, /NODE_EXTRA_CA_CERTS/]) assert.match(err, remedy);
  });

  it("an accounts folder that cannot be made is reported, and environment credentials need none", async () => {
    const pack = packFiles({
      "pack.ts": `${HEAD}pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://acme.example/token" });
`,
    });
    const nowhere = { PACK_AUTH_HOME: join(home, "own-ca.pem", "below a file") };
    // Where even root can make nothing, Node's own way to make a folder and those above it never ends.
    if (existsSync("/proc/self")) {
      const { code, err } = await call(pack, ["accounts"], [], { PACK_AUTH_HOME: "/proc/pack-auth/below" });
      assert.equal(code, 1, err);
      assert.match(err, /^pack-auth: The folder \/proc\/pack-auth\/below cannot be made \(E/);
    }
    for (const args of [["connect", "pack.ts"], ["credentials", "pack.ts"], ["accounts"]]) {
      const { code, err } = await call(pack, args, ["the-token"], nowhere);
      assert.equal(code, 1, err);
      assert.match(
        err,
        /^pack-auth: The folder .*below a file cannot be made \(ENOTDIR.*\)\. Set PACK_AUTH_HOME to a folder that you can write and that has free space\.$/m,
      );
    }
    // A folder that is there, in which even root can write nothing.
    for (const verb of existsSync("/proc/self") ? ["connect", "credentials"] : []) {
      const { code, err } = await call(pack, [verb, "pack.ts"], ["the-token"], { PACK_AUTH_HOME: "/proc" });
      assert.equal(code, 1, err);
      assert.match(
        err,
        /^pack-auth: Nothing can be saved in the folder \/proc \(E.*\)\. Set PACK_AUTH_HOME to a folder that you can write and that has free space\.\n$/,
      );
    }
    const free = packFiles({
      "pack.ts": `${HEAD}pack.addFormula({ name: "Get", description: "g", resultType: coda.ValueType.String, parameters: [], execute: () => "got" } as any);\n`,
    });
    const ran = await call(free, ["run", "pack.ts", "Get"], [], nowhere);
    assert.deepEqual([ran.code, ran.out.trim()], [0, "got"], ran.err);
  });

  it("scopes that were not granted are reported with their position", async () => {
    const token = createServer((_request, response) =>
      response.setHeader("content-type", "application/json").end('{"access_token":"the-access-token","scope":"read"}'),
    );
    await new Promise<void>((resolve) => token.listen(0, "127.0.0.1", resolve));
    try {
      const pack = packFiles({
        "pack.ts": machine(`"http://${addressOf(token)}/token"`).replace("} as any", '  scopes: ["read", "write"],\n} as any'),
      });
      const { code, err } = await call(pack, ["connect", "pack.ts"], CLIENT);
      assert.equal(code, 0, err);
      assert.match(
        err,
        /^Not granted of scopes: write \(asked for: read, write; granted: [^)]*\)\. Compare .*\n {4}at userAuthentication\.scopes \(pack\.ts:7:3\)$/m,
      );
    } finally {
      token.close();
    }
  });
});
