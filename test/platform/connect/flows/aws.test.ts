// AWSAccessKey and AWSAssumeRole: signatures against AWS's own published vectors, then whole accounts against the sandbox, which
// checks every signature by making it again.
import assert from "node:assert/strict";
import { z } from "zod";
import { openAccounts } from "../../../../platform/accounts/accounts.ts";
import { signingKeys } from "../../../../platform/aws/assume-role.ts";
import { regionOf, signRequest } from "../../../../platform/aws/sign-request.ts";
import { connect } from "../../../../platform/connect/connect.ts";
import { connected } from "../../../support/connected.ts";
import { readTable, texts } from "../../../support/json-cases.ts";
import { pack, sandboxOfSuite } from "../../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../../support/pack-file.ts";
import { makeHost } from "../../../support/platform-host.ts";
import { run } from "../../../support/run.ts";

// The Signature Version 4 test suite that AWS publishes: user, date, region and service are the same for all of it.
const SUITE = {
  keys: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
  options: { service: "service", region: "us-east-1", date: new Date("2015-08-30T12:36:00Z") },
};
const VECTORS = readTable(
  "connect/flows/cases/aws-vectors.json",
  z.array(z.tuple([z.string(), z.string(), z.string(), texts, z.string(), z.string()])),
);

const source = (type: string, host: string, service: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("amazonaws.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.${type}, service: "${service}" });
pack.addFormula({
  name: "Try",
  description: "Asks",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async (args: any, context: any) => {
    const answer = await context.fetcher.fetch({
      method: "POST",
      url: "https://${host}/my%20bucket/a+b?list-type=2&prefix=a%2Fb&empty=",
      headers: { "X-Amz-Date": "pack's own", "Content-Type": "application/json" },
      body: JSON.stringify({ a: "ü" }),
    });
    return JSON.stringify(answer.body);
  },
});
`;

describe("AWS authentication (sdk-facts 1)", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removePackFiles);

  for (const [name, method, url, headers, body, signature] of VECTORS) {
    it(`the signature equals that of AWS's test suite: ${name}`, async () => {
      const signed = await signRequest({ method, url, headers, ...(body === "" ? {} : { body }) }, SUITE.keys, SUITE.options);
      assert.equal(signed.headers.authorization?.split("Signature=")[1], signature);
      assert.equal(signed.headers["x-amz-date"], "20150830T123600Z");
    });
  }

  it("the signature of an S3 object equals that of AWS's documentation", async () => {
    const signed = await signRequest(
      { method: "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt", headers: { range: "bytes=0-9" } },
      { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
      { service: "s3", date: new Date("2013-05-24T00:00:00Z") },
    );
    assert.equal(signed.headers.authorization?.split("Signature=")[1], "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  });

  it("signing replaces the pack's own signature and covers repeated query parameters", async () => {
    const sign = async (url: string, headers: Record<string, string> = {}) =>
      (await signRequest({ method: "GET", url, headers }, SUITE.keys, SUITE.options)).headers;
    const url = "https://example.amazonaws.com/";
    const own = { Authorization: "its own", "X-Amz-Date": "20000101T000000Z", "X-AMZ-Security-Token": "t", "X-Amz-Content-SHA256": "0" };
    assert.deepEqual(await sign(url, own), await sign(url));
    assert.notEqual((await sign(`${url}?a=1&a=2`)).authorization, (await sign(`${url}?a=2`)).authorization);
    assert.equal((await sign(`${url}?a=1&a=2`)).authorization, (await sign(`${url}?a=2&a=1`)).authorization);
    assert.notEqual((await sign(`${url}?__proto__=1`)).authorization, (await sign(url)).authorization);
  });

  for (const [service, host, region] of readTable(
    "connect/flows/cases/aws-regions.json",
    z.array(z.tuple([z.string(), z.string(), z.string()])),
  )) {
    it(`the region of ${service} at ${host} is found`, () => assert.equal(regionOf(service, host), region));
  }

  for (const [type, service, host] of [
    ["AWSAccessKey", "s3", "b.s3.eu-west-1.amazonaws.com"],
    ["AWSAccessKey", "execute-api", "x.execute-api.us-east-2.amazonaws.com"],
    ["AWSAssumeRole", "sqs", "sqs.us-west-2.amazonaws.com"],
  ] as const) {
    it(`${type} for ${service} connects in the sandbox, which accepts its signed requests`, async () => {
      const entry = packFiles({ "pack.ts": source(type, host, service) });
      const { call, account } = await connected(sandbox, entry);
      const report = await call("Try");
      assert.equal(report.outcome.status, "succeeded", JSON.stringify(report.outcome));
      const [request] = report.requests;
      assert.deepEqual(request?.credentials, [{ carrier: "Authorization", host }]);
      assert.match(request?.requestHeaders.authorization ?? "", /^AWS4-HMAC-SHA256 .*Signature=••••$/);
      assert.match(request?.warnings.join() ?? "", /set the header x-amz-date itself/);
      assert.ok(account.credential.kind === "aws");
      assert.ok(!JSON.stringify(report).includes(account.credential.secretAccessKey));
      assert.doesNotMatch(JSON.stringify(report), /sandbox-session-[0-9a-f]{24}/);
    });
  }

  it("a refused role is reported with AWS's own error", async () => {
    const entry = packFiles({ "pack.ts": source("AWSAssumeRole", "sqs.us-west-2.amazonaws.com", "sqs") });
    const { openedPack, account } = await connected(sandbox, entry);
    assert.ok(account.credential.kind === "aws");
    const other = { ...account, credential: { ...account.credential, roleArn: "arn:aws:iam::123456789012:role/other" } };
    const report = await run(openedPack, { kind: "formula", name: "Try" }, [], { fetch, account: other });
    assert.ok(report.outcome.status === "failed");
    assert.match(report.outcome.error.message, /refused the role .*role\/other: AccessDenied/);
  });

  it("the API refuses a wrong secret key", async () => {
    const entry = packFiles({ "pack.ts": source("AWSAccessKey", "sqs.us-west-2.amazonaws.com", "sqs") });
    const { openedPack, account } = await connected(sandbox, entry);
    assert.ok(account.credential.kind === "aws");
    const other = { ...account, credential: { ...account.credential, secretAccessKey: "another-secret-access-key" } };
    const report = await run(openedPack, { kind: "formula", name: "Try" }, [], { fetch, account: other });
    assert.ok(report.outcome.status === "failed");
    assert.match(report.outcome.error.message, /the signature does not fit the request/);
  });

  describe("The session in a role", () => {
    const credential = (externalId?: string) => ({
      kind: "aws" as const,
      accessKeyId: SUITE.keys.accessKeyId,
      secretAccessKey: SUITE.keys.secretAccessKey,
      roleArn: "arn:aws:iam::123456789012:role/mine",
      ...(externalId === undefined ? {} : { externalId }),
    });
    /** The Security Token Service, whose sessions end after ten minutes. */
    const service = () => {
      const requests: URLSearchParams[] = [];
      const sts = { now: 0, refuses: false, requests: requests };
      const fetch = async (url: string, { body }: { body?: unknown }) => {
        assert.equal(url, "https://sts.amazonaws.com/");
        requests.push(new URLSearchParams(String(body)));
        const ends = new Date(sts.now + 600_000).toISOString();
        return sts.refuses
          ? new Response("<html>Busy</html>", { status: 503 })
          : new Response(
              `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIA${requests.length}</AccessKeyId><SecretAccessKey>of-session</SecretAccessKey><SessionToken>the-session</SessionToken><Expiration>${ends}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
            );
      };
      return Object.assign(sts, { fetch: fetch as typeof globalThis.fetch });
    };

    it("a session is reused until a minute before its end; a failed one is retried", async () => {
      const [sts, mine] = [service(), credential()];
      const id = async () => (await signingKeys(mine, { fetch: sts.fetch, now: () => sts.now })).accessKeyId;
      sts.refuses = true;
      await assert.rejects(id(), { message: /refused the role .*role\/mine: status 503/, hint: /trust policy/ });
      sts.refuses = false;
      assert.equal(await id(), "ASIA2");
      sts.now = 539_999;
      assert.equal(await id(), "ASIA2");
      sts.now = 540_000;
      assert.equal(await id(), "ASIA3");
      assert.equal(await id(), "ASIA3");
    });

    for (const [status, content, message, hint] of [
      [403, ["AccessDenied", "no"], /role\/mine: AccessDenied: “no”\.$/, /trust policy must let/],
      [403, ["InvalidClientTokenId", "no"], /InvalidClientTokenId: “no”/, /access key ID is not known/],
      [403, ["SignatureDoesNotMatch", "no"], /SignatureDoesNotMatch/, /secret access key does not belong/],
      [403, ["ExpiredToken", ""], /: ExpiredToken\.$/, /keys have expired/],
      [400, ["Other", "no"], /Other: “no”/, /Check the role's ARN/],
      [200, "<AssumeRoleResponse/>", /status 200/, /Check the role's ARN/],
      [200, "not <XML", /status 200/, /Check the role's ARN/],
    ] as const) {
      it(`a failed session names the cause: ${status} ${content}`, async () => {
        const text =
          typeof content === "string"
            ? content
            : `<ErrorResponse><Error><Code>${content[0]}</Code><Message>${content[1]}</Message></Error></ErrorResponse>`;
        await assert.rejects(signingKeys(credential(), { fetch: async () => new Response(text, { status }) }), { message, hint });
      });
    }

    it("a session response that lacks one of its four parts is refused", async () => {
      const parts = ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"];
      for (const missing of parts) {
        const members = parts.map((part) => (part === missing ? "" : `<${part}>2999-01-01T00:00:00Z</${part}>`)).join("");
        const text = `<AssumeRoleResponse><AssumeRoleResult><Credentials>${members}</Credentials></AssumeRoleResult></AssumeRoleResponse>`;
        await assert.rejects(signingKeys(credential(), { fetch: async () => new Response(text) }), { message: /status 200/ }, missing);
      }
    });

    for (const externalId of [undefined, "the-external-id"]) {
      it(`a session request has ${externalId ?? "no"} external ID`, async () => {
        const sts = service();
        await signingKeys(credential(externalId), { fetch: sts.fetch });
        assert.equal(sts.requests[0]?.get("ExternalId"), externalId ?? null);
        assert.equal(sts.requests[0]?.get("RoleArn"), credential().roleArn);
      });
    }

    it("a cancelled run stops waiting for the session", async () => {
      const fetch = (_url: string, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      const stop = new AbortController();
      const keys = signingKeys(credential(), { fetch: fetch as unknown as typeof globalThis.fetch, signal: stop.signal });
      setImmediate(() => setTimeout(() => stop.abort(), 100));
      await assert.rejects(keys, { message: /AWS could not be asked for the role/ });
    });
  });

  it("a sign-in asks for the role, its external ID and the keys, and checks each", async () => {
    const testPack = await pack(packFiles({ "pack.ts": source("AWSAssumeRole", "sqs.us-west-2.amazonaws.com", "sqs") }));
    const host = makeHost({
      replies: {
        "ARN of the role": "arn:aws:iam::123456789012:role/mine",
        "external ID": "",
        "access key ID of a user": "AKIAIOSFODNN7EXAMPLE",
        "secret access key": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      },
    });
    const accounts = openAccounts(host);
    const result = await connect(testPack, { scope: "user", packName: "p", host, accounts });
    assert.deepEqual(await accounts.credential(result?.account.id ?? ""), {
      kind: "aws",
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      roleArn: "arn:aws:iam::123456789012:role/mine",
    });
    const wrong = makeHost({ replies: { "ARN of the role": "mine" } });
    await assert.rejects(connect(testPack, { scope: "user", packName: "p", host: wrong, accounts }), /A role's ARN looks like/);
  });

  it("an access key ID of any length is accepted", async () => {
    const testPack = await pack(packFiles({ "pack.ts": source("AWSAccessKey", "sqs.us-west-2.amazonaws.com", "sqs") }));
    const withId = (id: string) => {
      const host = makeHost({ replies: { "The access key ID": id, "secret access key": "minio-secret-key" } });
      const accounts = openAccounts(host);
      return { accounts, result: connect(testPack, { scope: "user", packName: "p", host, accounts }) };
    };
    for (const id of [SUITE.keys.accessKeyId, "minioadmin", "key.of-a/server+own"]) {
      const { accounts, result } = withId(id);
      assert.deepEqual(await accounts.credential((await result)?.account.id ?? ""), {
        kind: "aws",
        accessKeyId: id,
        secretAccessKey: "minio-secret-key",
      });
    }
    await assert.rejects(withId("AKIA\u0007").result, /line break or a control character/);
  });
});
