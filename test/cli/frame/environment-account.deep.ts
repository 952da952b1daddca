// Credentials from the environment go to the domains that PACK_AUTH_DOMAINS names: judged before anything is sent, whatever the pack declares.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { accountFromEnvironment } from "../../../cli/frame/environment-account.ts";
import { withCredentialDomains } from "../../../platform/accounts/credential-domains.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { checkUrl } from "../../../platform/network/url-policy.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../../protocol/definition.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { auth } from "../../support/broker.ts";
import { callCli, storedIn } from "../../support/call-cli.ts";
import { readTable, texts } from "../../support/json-cases.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";

const definition = (networkDomains: readonly string[], user: AuthenticationDefinition): PackDefinition =>
  withCredentialDomains({ networkDomains, userAuthentication: user, formulas: [], syncTables: [] } as unknown as PackDefinition);
const token = (more: Partial<AuthenticationDefinition> = {}): AuthenticationDefinition => auth("HeaderBearerToken", more);

describe("the command line's own variables", () => {
  const custom = auth("Custom", { params: ["key", "passphrase", "endpoint", "secret-store"].map((name) => ({ name, description: "" })) });
  const read = (env: NodeJS.ProcessEnv) =>
    accountFromEnvironment(definition(["shop.example"], custom), undefined, {
      PACK_AUTH_DOMAINS: "shop.example",
      PACK_AUTH_PASSPHRASE: "opens every account",
      PACK_AUTH_SECRET_STORE: "file",
      PACK_AUTH_KEY: "the-key",
      ...env,
    });

  it("a param named like an own variable does not get its value", () => {
    const missing = ["PACK_AUTH_PASSPHRASE_VALUE", "PACK_AUTH_ENDPOINT_VALUE", "PACK_AUTH_SECRET_STORE_VALUE"];
    assert.deepEqual(read({}).incomplete, missing);
    const { account } = read(Object.fromEntries(missing.map((name) => [name, `of ${name}`])));
    assert.deepEqual(account?.credential, {
      kind: "values",
      values: {
        key: "the-key",
        passphrase: "of PACK_AUTH_PASSPHRASE_VALUE",
        endpoint: "of PACK_AUTH_ENDPOINT_VALUE",
        "secret-store": "of PACK_AUTH_SECRET_STORE_VALUE",
      },
    });
    assert.equal(account?.endpoint, undefined);
  });

  it("an account called api does not get the token of the platform's API", () => {
    const env = { PACK_AUTH_DOMAINS: "shop.example", PACK_AUTH_API_TOKEN: "the-platform-token" };
    for (const label of ["api", "API", " api! "])
      assert.deepEqual(accountFromEnvironment(definition(["shop.example"], token()), label, env), {
        missingVariables: [],
        incomplete: [],
        variables: [],
      });
  });

  it("every own variable that the sources read is reserved", () => {
    const sources = ["cli", "launch", "platform"].flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => readFileSync(join(room, name), "utf8")),
    );
    const names = new Set(
      sources.flatMap((source) => [...source.matchAll(/\benv(?:ironment)?\.PACK_AUTH_(\w+)/g)].map(([, name = ""]) => name)),
    );
    assert.ok(names.has("PASSPHRASE") && names.has("HOME") && names.size > 5, [...names].join());
    const params = auth("Custom", { params: [...names].map((name) => ({ name, description: "" })) });
    const { missingVariables } = accountFromEnvironment(definition(["shop.example"], params), undefined, {
      PACK_AUTH_DOMAINS: "shop.example",
    });
    assert.deepEqual(
      missingVariables,
      [...names].map((name) => `PACK_AUTH_${name}_VALUE`),
    );
  });
});

describe("PACK_AUTH_DOMAINS", () => {
  const TWO = ["shop.example", "files.example"];
  for (const [what, domains, user, env, refusedHost] of readTable(
    "test/cli/frame/cases/domains-variable.json",
    z.array(z.tuple([z.string(), z.array(z.string()), z.custom<AuthenticationDefinition>(), texts, z.string().optional()])),
  ))
    it(`credentials are ${refusedHost === undefined ? "allowed" : `refused for ${refusedHost}`} when the variable ${what}`, () => {
      const read = () => accountFromEnvironment(definition(domains, user), undefined, { PACK_AUTH_TOKEN: "the-token", ...env });
      if (refusedHost === undefined) assert.ok(read().account);
      else
        assert.throws(read, (error: PackAuthError) => {
          assert.deepEqual(
            [error.code, error.message.includes(`would go to ${refusedHost}, which`)],
            ["request-refused", true],
            error.message,
          );
          // The value that it names is right.
          const value = error.nextStep?.do === "approveDomains" ? error.nextStep.domains : "";
          const again = { PACK_AUTH_TOKEN: "the-token", ...env, PACK_AUTH_DOMAINS: value };
          assert.ok(accountFromEnvironment(definition(domains, user), undefined, again).account);
          return true;
        });
    });

  it("system and labelled credentials need the variable, and a pack without credentials does not", () => {
    const system = withCredentialDomains({ networkDomains: TWO, systemAuthentication: token() } as unknown as PackDefinition);
    assert.throws(() => accountFromEnvironment(system, undefined, { PACK_AUTH_SYSTEM_TOKEN: "t" }), /would go to shop\.example/);
    assert.throws(
      () => accountFromEnvironment(definition(TWO, token()), "al (work)", { PACK_AUTH_AL_WORK_TOKEN: "t" }),
      /would go to shop\.example/,
    );
    assert.equal(accountFromEnvironment(definition(TWO, token()), undefined, {}).account, undefined);
    const both = { ...definition(TWO, token()), systemAuthentication: token() };
    assert.deepEqual(accountFromEnvironment(both, undefined, {}).missingVariables, [
      "PACK_AUTH_TOKEN",
      "PACK_AUTH_DOMAINS",
      "PACK_AUTH_SYSTEM_TOKEN",
    ]);
    assert.equal(accountFromEnvironment(definition(TWO, auth("None")), undefined, { PACK_AUTH_TOKEN: "t" }).account, undefined);
  });

  it("each type gets all of its credentials, and no account without one of them", () => {
    const names = (list: readonly string[]) => list.map((name) => ({ name, description: "" }));
    const values = { kind: "values", values: { "X-Key": "k", id: "i" } };
    const aws = { kind: "aws", accessKeyId: "a", secretAccessKey: "s" };
    const awsEnv = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "s" };
    for (const [type, more, env, credential] of [
      ["HeaderBearerToken", {}, { TOKEN: "t" }, { kind: "token", token: "t" }],
      ["WebBasic", {}, { USERNAME: "u", PASSWORD: "p" }, { kind: "basic", username: "u", password: "p" }],
      ["WebBasic", { uxConfig: { usernameOnly: true } }, { USERNAME: "u" }, { kind: "basic", username: "u", password: "" }],
      ["OAuth2", {}, { ACCESS_TOKEN: "t" }, { kind: "oauth2", accessToken: "t" }],
      ["OAuth2ClientCredentials", {}, { ACCESS_TOKEN: "t" }, { kind: "oauth2", accessToken: "t" }],
      ["AWSAccessKey", {}, awsEnv, aws],
      ["MultiHeaderToken", { headers: names(["X-Key", "id"]) }, { X_KEY: "k", ID: "i" }, values],
      ["Custom", { params: names(["X-Key", "id"]) }, { X_KEY: "k", ID: "i" }, values],
    ] as const) {
      const pack = definition(["shop.example"], auth(type, more as Partial<AuthenticationDefinition>));
      const variables = Object.entries(env).map(([name, value]) => [`PACK_AUTH_${name}`, value] as const);
      const read = (entries: readonly (readonly [string, string])[]) =>
        accountFromEnvironment(pack, undefined, { PACK_AUTH_DOMAINS: "SHOP.example", ...Object.fromEntries(entries) });
      assert.deepEqual(read(variables).account, { scope: "user", credential }, type);
      for (const [name] of variables) {
        const { account, missingVariables } = read(variables.filter(([each]) => each !== name));
        assert.deepEqual([account, missingVariables], [undefined, [name]], type);
      }
    }
    const pack = definition(["shop.example"], auth("AWSAccessKey"));
    const env = { PACK_AUTH_AWS_ACCESS_KEY_ID: "a", PACK_AUTH_AWS_SECRET_ACCESS_KEY: "s", PACK_AUTH_DOMAINS: "shop.example" };
    const session = { PACK_AUTH_AWS_SESSION_TOKEN: "st", PACK_AUTH_AWS_REGION: "eu-west-1" };
    assert.deepEqual(accountFromEnvironment(pack, undefined, { ...env, ...session }).account?.credential, {
      ...aws,
      sessionToken: "st",
      region: "eu-west-1",
    });
    const endpoint = definition(["shop.example"], token({ requiresEndpointUrl: true }));
    assert.deepEqual(
      accountFromEnvironment(endpoint, undefined, {
        PACK_AUTH_TOKEN: "t",
        PACK_AUTH_ENDPOINT: "a.shop.example",
        PACK_AUTH_DOMAINS: "shop.example",
      }).account,
      { scope: "user", credential: { kind: "token", token: "t" }, endpoint: "https://a.shop.example" },
    );
  });

  describe("variables of another type than the pack's", () => {
    for (const [type, env, label, message, hint] of readTable(
      "test/cli/frame/cases/variables-of-other-types.json",
      z.array(z.tuple([z.string(), texts, z.string().nullable(), z.string(), z.string()])),
    ))
      it(`${type} with ${Object.keys(env).join(" and ")} is refused, with the variable to set`, () => {
        const pack = definition(["shop.example"], auth(type, { params: [{ name: "site", description: "" }] }));
        assert.throws(
          () => accountFromEnvironment(pack, label ?? undefined, { ...env, PACK_AUTH_DOMAINS: "shop.example" }),
          (error: PackAuthError) => {
            assert.equal(error.message, `The pack's authentication is ${type}, which does not read ${message}; nothing was run.`);
            assert.ok(error.code === "account-required" && error.hint?.startsWith(`Set ${hint}`), error.hint);
            return true;
          },
        );
      });

    it("variables of another type are ignored when the pack's own are set too", () => {
      const env = { PACK_AUTH_TOKEN: "t", PACK_AUTH_ACCESS_TOKEN: "a", PACK_AUTH_DOMAINS: "shop.example" };
      const { account } = accountFromEnvironment(definition(["shop.example"], auth("OAuth2")), undefined, env);
      assert.deepEqual(account?.credential, { kind: "oauth2", accessToken: "a" });
      const system = {
        ...definition(["shop.example"], auth("OAuth2")),
        systemAuthentication: token({ credentialDomains: ["shop.example"] }),
      };
      const environmentAccount = accountFromEnvironment(system, undefined, {
        PACK_AUTH_TOKEN: "t",
        PACK_AUTH_SYSTEM_TOKEN: "s",
        PACK_AUTH_DOMAINS: "shop.example",
      });
      assert.deepEqual(environmentAccount.account, { scope: "system", credential: { kind: "token", token: "s" } });
    });
  });

  describe("missing variables", () => {
    const basic = auth("WebBasic", { requiresEndpointUrl: true });
    const [USERNAME, PASSWORD, ENDPOINT] = ["USERNAME", "PASSWORD", "ENDPOINT"].map((name) => `PACK_AUTH_${name}`) as [
      string,
      string,
      string,
    ];
    for (const [what, env, incomplete, missingVariables] of [
      ["all of them", {}, [], [USERNAME, PASSWORD, ENDPOINT, "PACK_AUTH_DOMAINS"]],
      ["the one beside another", { [USERNAME]: "u", [ENDPOINT]: "a.shop.example" }, [PASSWORD], [PASSWORD, "PACK_AUTH_DOMAINS"]],
      ["all but the domains", { PACK_AUTH_DOMAINS: "shop.example" }, [], [USERNAME, PASSWORD, ENDPOINT]],
    ] as const)
      it(`missing variables are named: ${what}`, () => {
        assert.deepEqual(accountFromEnvironment(definition(["shop.example"], basic), undefined, env), {
          missingVariables,
          incomplete,
          variables: [],
        });
      });

    it("a missing endpoint is named before anything runs", () => {
      const env = { [USERNAME]: "u", [PASSWORD]: "p", PACK_AUTH_DOMAINS: "shop.example" };
      assert.throws(() => accountFromEnvironment(definition(["shop.example"], basic), undefined, env), {
        code: "account-required",
        message: "The account of the environment is not complete: PACK_AUTH_ENDPOINT is missing.",
        hint: "Set PACK_AUTH_ENDPOINT; see pack-auth run --help.",
      });
    });
  });

  describe("an endpoint that the pack cannot reach", () => {
    const env = { PACK_AUTH_TOKEN: "t", PACK_AUTH_ENDPOINT: "https://acme.evil.example", PACK_AUTH_DOMAINS: "shop.example" };
    for (const [what, domains, endpointDomain, allowed] of [
      ["by its domains", TWO, undefined, "shop.example and files.example"],
      ["by its endpointDomain", ["shop.example"], "my.shop.example", "my.shop.example"],
      ["by an endpointDomain alone", [], "shop.example", "shop.example"],
    ] as const)
      it(`the endpoint is refused with what the pack allows: ${what}`, () => {
        const user = token({ requiresEndpointUrl: true, ...(endpointDomain === undefined ? {} : { endpointDomain }) });
        assert.throws(() => accountFromEnvironment(definition(domains, user), undefined, env), {
          code: "endpoint-invalid",
          message: `PACK_AUTH_ENDPOINT names acme.evil.example, and the pack allows only ${allowed}; nothing was sent.`,
          hint: `Set it to an address under ${allowed.replace(" and ", " or ")}.`,
        });
      });

    it("an endpoint that is not a URL is refused", () => {
      const wrong = { ...env, PACK_AUTH_ENDPOINT: "https://a b" };
      assert.throws(
        () => accountFromEnvironment(definition(TWO, token()), undefined, wrong),
        /^PackAuthError: PACK_AUTH_ENDPOINT is not a URL/,
      );
    });
  });

  it("errors contain no value of the variable, and no text that a shell would run", () => {
    const named = "a-param-of-this-name-is-a-secret";
    for (const host of ["`id`", "x$(id).evil.example", "evil.example`id`"])
      assert.throws(
        () => {
          const domains = ["shop.example", 'x" $(touch owned) "', host];
          accountFromEnvironment(definition(domains, token()), undefined, { PACK_AUTH_TOKEN: "t", PACK_AUTH_DOMAINS: named });
        },
        ({ message, hint }: Error & { hint?: string }) => {
          assert.ok(!`${message} ${hint}`.includes(named));
          assert.match(hint ?? "", /^Do not run this pack with credentials/, host);
          return true;
        },
      );
  });

  it("every host that can be reached needs the variable, and other text does not", () => {
    const env = { PACK_AUTH_TOKEN: "t", PACK_AUTH_DOMAINS: "shop.example" };
    for (const host of ["a_b.evil.example", "x$(id).evil.example", "a,b.evil.example", "a!b.evil.example", "A_B.Evil.Example"]) {
      const domains = ["shop.example", host];
      const verdict = checkUrl(`https://${host}/`, "GET", { domains });
      assert.ok(verdict.allowed && verdict.credentials, `the policy would let credentials go to ${host}`);
      assert.throws(() => accountFromEnvironment(definition(domains, token()), undefined, env), /would go to .*evil\.example, which/, host);
    }
    for (const text of ["https://evil.example", "evil.example/", "evil example", "user@evil.example"]) {
      const domains = ["shop.example", text];
      assert.ok(accountFromEnvironment(definition(domains, token()), undefined, env).account, text);
      assert.ok(!checkUrl("https://evil.example/", "GET", { domains }).allowed, text);
    }
  });

  describe("a run with credentials of the environment", function () {
    this.timeout(60_000);
    let server: Server;
    let home: string;
    const received: (string | undefined)[] = [];
    before(async () => {
      home = mkdtempSync(join(tmpdir(), "pack-auth-domains-"));
      server = createServer((request, response) => {
        received.push(request.headers.authorization);
        response.setHeader("content-type", "application/json").end('"there"');
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    });
    after(() => {
      server.close();
      removePackFiles();
      rmSync(home, { recursive: true, force: true });
    });

    const source = (domain: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
${domain === "" ? "" : `pack.addNetworkDomain("${domain}");`}
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({ name: "Get", description: "g", resultType: coda.ValueType.String, parameters: [],
  execute: async (_: any, context: any) => (await context.fetcher.fetch({ method: "GET", url: "http://127.0.0.1:${(server.address() as AddressInfo).port}/" })).body } as any);
`;

    it("a run with a part of an account names the rest, and sends nothing", async () => {
      const pack = packFiles({
        "pack.ts": source("")
          .replace("HeaderBearerToken", "WebBasic")
          .replace("execute:", "connectionRequirement: coda.ConnectionRequirement.Optional, execute:"),
      });
      const result = await run(pack, { PACK_AUTH_USERNAME: "canary" });
      assert.deepEqual([result.code, received], [1, []], result.err);
      assert.match(result.err, /complete: PACK_AUTH_PASSWORD is missing\.\nSet PACK_AUTH_PASSWORD; see/);
    });

    it("a stored account does not replace variables that are incomplete or of another type", async () => {
      const pack = packFiles({ "pack.ts": source("").replace("HeaderBearerToken", "WebBasic") });
      const own = mkdtempSync(join(home, "stored-"));
      const connected = await callCli(["connect", pack, "--allow-loopback"], {
        env: storedIn(own),
        lines: ["carol", "password-of-carol", "1"],
      });
      assert.equal(connected.code, 0, connected.err);
      const withStored = (env: NodeJS.ProcessEnv) =>
        callCli(["run", pack, "Get", "--allow-loopback"], { env: { ...storedIn(own), ...env } });
      assert.equal((await withStored({})).code, 0);
      assert.equal(received.splice(0).length, 1);
      const other = await withStored({ PACK_AUTH_TOKEN: "canary" });
      assert.deepEqual([other.code, received], [1, []], other.err);
      assert.match(
        other.err,
        /WebBasic, which does not read PACK_AUTH_TOKEN; nothing was run\.\nSet PACK_AUTH_USERNAME and PACK_AUTH_PASSWORD/,
      );
      const part = await withStored({ PACK_AUTH_PASSWORD: "canary" });
      assert.deepEqual([part.code, received], [1, []], part.err);
      assert.match(part.err, /PACK_AUTH_USERNAME is missing/);
    });

    it("a formula that takes no account needs no variable, and gets no account", async () => {
      const pack = packFiles({
        "pack.ts": source("")
          .replace("HeaderBearerToken", "HeaderBearerToken, requiresEndpointUrl: true")
          .replace("execute:", "connectionRequirement: coda.ConnectionRequirement.None, execute:"),
      });
      for (const env of [{}, { PACK_AUTH_DOMAINS: "127.0.0.1" }, { PACK_AUTH_ENDPOINT: "https://acme.evil.example" }]) {
        const result = await run(pack, env);
        assert.deepEqual([result.code, result.out], [0, "there\n"], result.err);
      }
      assert.deepEqual(received.splice(0), [undefined, undefined, undefined]);
      const named = await callCli(["run", pack, "Get", "--account", "al"], { env: { PACK_AUTH_HOME: home, PACK_AUTH_AL_TOKEN: "t" } });
      assert.match(named.err, /PACK_AUTH_AL_ENDPOINT is missing/, "an account that is asked for by name is looked for");
    });

    async function run(pack: string, env: NodeJS.ProcessEnv, ...more: readonly string[]) {
      const own = { PACK_AUTH_HOME: home, PACK_AUTH_TOKEN: "canary-token-41c2", ...env };
      const result = await callCli(["run", pack, "Get", "--allow-loopback", ...more], { env: own });
      assert.ok(!(result.out + result.err).includes("canary"));
      return result;
    }

    it("a recording with the account is shown, and saved only after consent", async () => {
      const pack = packFiles({ "pack.ts": source("") });
      const file = join(home, "Get.packauth.json");
      const save = (lines: readonly string[], ...more: readonly string[]) =>
        callCli(["run", pack, "Get", "--allow-loopback", "--save-test", file, ...more], {
          env: { ...storedIn(home), PACK_AUTH_TOKEN: "canary-token-41c2", PACK_AUTH_DOMAINS: "127.0.0.1" },
          lines,
        });
      for (const lines of [[], ["1"]]) {
        const result = await save(lines);
        assert.deepEqual([result.code, existsSync(file)], [1, false], result.err);
        assert.match(
          result.err,
          /"value": "there"[\s\S]*Save this recording of a real account\?[\s\S]*was not confirmed\. [\s\S]*add --yes/,
        );
        assert.ok(!(result.out + result.err).includes("canary"));
      }
      const chosen = await save(["2"]);
      assert.deepEqual([chosen.code, existsSync(file)], [0, true], chosen.err);
      rmSync(file);
      const agreed = await save([], "--yes");
      assert.deepEqual([agreed.code, existsSync(file), agreed.err.includes("there")], [0, true, false], agreed.err);
      received.splice(0);
      const env = { ...storedIn(home), PACK_AUTH_TOKEN: "canary-token-41c2", PACK_AUTH_DOMAINS: "127.0.0.1" };
      const before = readFileSync(file, "utf8");
      const unseen = await callCli(["test", file, "--update"], { env, cwd: dirname(pack) });
      assert.deepEqual([unseen.code, readFileSync(file, "utf8")], [1, before], unseen.out);
      const updated = await callCli(["test", file, "--update", "--yes"], { env, cwd: dirname(pack) });
      assert.deepEqual([updated.code, updated.out.includes("updated")], [0, true], updated.out + updated.err);
      received.splice(0);
    });

    it("an unnamed domain is refused before anything is sent, with the value to set", async () => {
      const pack = packFiles({ "pack.ts": source("") });
      const absent = await run(pack, {});
      assert.deepEqual([absent.code, received], [1, []], absent.err);
      assert.match(absent.err, /would go to 127\.0\.0\.1, which PACK_AUTH_DOMAINS does not name; nothing was sent/);
      assert.match(absent.err, /set PACK_AUTH_DOMAINS="127\.0\.0\.1"/);
      const named = await run(pack, { PACK_AUTH_DOMAINS: "127.0.0.1" });
      assert.deepEqual([named.code, named.out], [0, "there\n"], named.err);
      assert.deepEqual(received.splice(0), ["Bearer canary-token-41c2"]);

      writeFileSync(pack, source("evil.example"));
      const result = await run(pack, { PACK_AUTH_DOMAINS: "127.0.0.1" }, "--json");
      assert.deepEqual([result.code, received], [1, []], result.err);
      const { outcome } = JSON.parse(result.out) as RunReport;
      assert.ok(outcome.status === "failed" && outcome.error.code === "request-refused");
      assert.match(outcome.error.message, /would go to evil\.example, which/);
    });
  });
});
