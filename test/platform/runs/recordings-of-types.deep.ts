// Tests that are recorded with each type of authentication, and of the examples: the credential is not in them, and a replay is equal.
import assert from "node:assert/strict";
import { findSecrets } from "../../../platform/recordings/proof.ts";
import { testOf } from "../../../platform/recordings/record-test.ts";
import { replay } from "../../../platform/recordings/replay.ts";
import { readTest, testText } from "../../../platform/recordings/saved-test.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import { secretsOf } from "../../../platform/secrets/redact.ts";
import { connected } from "../../support/connected.ts";
import { closePacks, example, pack, sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { recordRun } from "../../support/run.ts";
import { formula } from "../../support/run-pack.ts";
import { wireOfSuite } from "../../support/wire.ts";

const CANARY = 'canary/+"7f3a&Zq secret';

/** Each type with what its account holds; `key` is the canary. */
const TYPES: Readonly<Record<string, { readonly config?: string; readonly credential: Credential }>> = {
  HeaderBearerToken: { credential: { kind: "token", token: CANARY } },
  CustomHeaderToken: { config: 'headerName: "X-Key", tokenPrefix: "k",', credential: { kind: "token", token: CANARY } },
  QueryParamToken: { config: 'paramName: "key",', credential: { kind: "token", token: CANARY } },
  WebBasic: { credential: { kind: "basic", username: "me@good.com", password: CANARY } },
  Custom: { config: 'params: [{ name: "key", description: "The key" }],', credential: { kind: "values", values: { key: CANARY } } },
  MultiHeaderToken: {
    config: 'headers: [{ name: "X-Key", description: "The key" }],',
    credential: { kind: "values", values: { "X-Key": CANARY } },
  },
  MultiQueryParamToken: {
    config: 'params: [{ name: "key", description: "The key" }],',
    credential: { kind: "values", values: { key: CANARY } },
  },
  OAuth2: {
    config: 'authorizationUrl: "https://good.com/a", tokenUrl: "https://good.com/t",',
    credential: { kind: "oauth2", accessToken: CANARY, refreshToken: `refresh-${CANARY}` },
  },
  AWSAccessKey: {
    config: 'service: "execute-api",',
    credential: { kind: "aws", accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: CANARY },
  },
  AWSAssumeRole: {
    config: 'service: "execute-api",',
    credential: {
      kind: "aws",
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: CANARY,
      roleArn: "arn:aws:iam::123456789012:role/mine",
      externalId: "mine",
    },
  },
};

describe("Recordings of each authentication type", function () {
  this.timeout(60_000);
  const wire = wireOfSuite();
  afterEach(closePacks);
  after(removePackFiles);

  for (const [type, { config = "", credential }] of Object.entries(TYPES))
    it(`a recording of ${type} names the credential's carrier without its value, and replays equal`, async () => {
      // All of a request comes back, in the body and, encoded, in a header.
      wire.respond = ({ path, headers, body, host }, response) => {
        if (host.startsWith("sts.")) {
          response.setHeader("content-type", "text/xml");
          response.end(
            `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAIOSFODNN7EXAMPLE</AccessKeyId><SecretAccessKey>role-${CANARY.replaceAll("&", "&amp;")}</SecretAccessKey><SessionToken>session-0123456789</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
          );
          return;
        }
        const { "x-amz-date": _, authorization = "", ...own } = headers;
        const all = JSON.stringify({ path, own, body, authorization: authorization.startsWith("AWS4") ? "signed" : authorization });
        response.setHeader("content-type", "application/json").setHeader("x-echo", encodeURIComponent(all));
        response.end(JSON.stringify({ all }));
      };
      const custom = type === "Custom" ? "&mine={{key-${context.invocationToken}}}" : "";
      const entry = packFiles({
        "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.${type}, ${config} } as any);
pack.addFormula({ name: "Ask", description: "Asks.", parameters: [], resultType: coda.ValueType.String,
  execute: async ([], context) => {
    const { body, headers } = await context.fetcher.fetch({ method: "POST", url: \`https://good.com/a?page=1${custom}\`, body: JSON.stringify({ a: 1 }) });
    return JSON.stringify([body, headers["x-echo"]]);
  } });
`,
      });
      const loadedPack = await pack(entry);
      const own = { scope: "user", credential, otherSecrets: async () => ["the-clients-secret"] } as const;
      const recorded = await recordRun(loadedPack, formula("Ask"), [], { fetch: wire.fetch, lookup: wire.lookup, account: own });
      assert.equal(recorded.report.outcome.status, "succeeded", JSON.stringify(recorded.report.outcome));
      const test = readTest(testText(await testOf(recorded, "pack.ts")));
      assert.deepEqual(findSecrets(test, [CANARY, ...secretsOf(credential), "session-0123456789"]), []);
      assert.equal(test.requests.length, 1);
      assert.notDeepEqual(test.requests[0]?.credentials, []);
      assert.deepEqual(test.volatile, {});
      assert.deepEqual((await replay(loadedPack, test)).problems, []);
    });
});

describe("Recordings of the examples", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();

  for (const [name, formulaName, ...parameters] of [
    ["todo-oauth2", "GetTask", "7"],
    ["todo-oauth2", "FindTasks"],
    ["weather-bearer", "Temperature", "Lisbon"],
    ["custom-placeholders", "CreateTicket", 'A "quoted" title'],
    ["crm-set-endpoint", "Contact", "Bob"],
  ] as const)
    it(`${name}: ${formulaName} replays without the sandbox`, async () => {
      const { openedPack, account: own } = await connected(sandbox, example(name), {
        replies: { "Choose the site": "https://globex.crm.example" },
      });
      const recorded = await recordRun(openedPack, formula(formulaName), parameters, { fetch, account: own });
      const test = readTest(testText(await testOf(recorded, "pack.ts")));
      assert.equal(test.outcome.status, "succeeded");
      assert.equal(test.sandbox, true);
      const { problems, outcome } = await replay(openedPack, test);
      assert.deepEqual(problems, []);
      assert.deepEqual(outcome, test.outcome);
    });
});
