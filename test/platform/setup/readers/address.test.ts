// Challenges of real APIs (RFC 9110, section 11.6.1), and answers that say nothing about authentication.
import assert from "node:assert/strict";
import { CANARY, fieldsIn, openSetupServer, proposed, type SetupServer, setUp } from "../../../support/setup.ts";

describe("The address reader", function () {
  this.timeout(30_000);
  let server: SetupServer;
  let other: SetupServer;
  before(async () => {
    [server, other] = await Promise.all([openSetupServer(), openSetupServer("localhost")]);
  });
  after(() => {
    server.close();
    other.close();
  });
  beforeEach(() => {
    for (const each of [server, other]) {
      each.requests.length = 0;
      each.respond = () => undefined;
    }
  });

  const challenge = (value: string, status = 401): void => {
    server.respond = (_, path) => (path === "/v1/issues" ? { status, headers: { "www-authenticate": value } } : undefined);
  };
  const evidence = () => ({ kind: "address", text: `${server.base}/v1/issues` }) as const;

  const types: Readonly<Record<string, readonly [type: string, fields: Readonly<Record<string, unknown>>]>> = {
    'Basic realm="Jira"': ["WebBasic", {}],
    'Bearer realm="api", error="invalid_token"': ["HeaderBearerToken", {}],
    'Token realm="api"': ["CustomHeaderToken", { headerName: "Authorization", tokenPrefix: "Token" }],
    ApiKey: ["CustomHeaderToken", { headerName: "Authorization", tokenPrefix: "ApiKey" }],
    'X-Api-Key realm="api"': ["CustomHeaderToken", { headerName: "X-Api-Key" }],
    "AWS4-HMAC-SHA256": ["AWSAccessKey", { service: "execute-api" }],
    'Digest realm="api", nonce="1", Basic realm="api"': ["WebBasic", {}],
  };
  for (const [header, [type, fields]] of Object.entries(types))
    it(`the challenge ${header} gives ${type}`, async () => {
      challenge(header);
      const proposal = await proposed(evidence(), { "aws-service": "execute-api" });
      assert.equal(proposal.type, type);
      assert.deepEqual(fieldsIn(proposal), fields);
      assert.deepEqual(
        proposal.domains.map(({ domain }) => domain),
        ["127.0.0.1"],
      );
      assert.equal(proposal.formula?.name, "GetIssues");
      assert.match(proposal.typeOrigin, /^the challenge \S+ of 127/);
    });

  const impossible: Readonly<Record<string, string>> = {
    'Digest realm="api", nonce="abc", qop="auth"': "digest",
    Negotiate: "negotiate",
    "NTLM, Negotiate": "negotiate",
    'DPoP algs="ES256"': "dpop",
    'Hawk ts="1", tsm="2"': "signed-request",
    'OAuth realm="https://api.acme.example/"': "oauth1",
    'Cookie realm="login"': "session-login",
  };
  for (const [header, reason] of Object.entries(impossible))
    it(`the challenge ${header} is impossible`, async () => {
      challenge(header);
      const { outcome } = await setUp(evidence());
      assert.ok(outcome?.kind === "impossible", JSON.stringify(outcome));
      assert.equal(outcome.reason, reason);
      assert.match(outcome.origin, /^the challenge /);
    });

  it("several challenges are a question of those that are possible", async () => {
    challenge('Bearer realm="api", Basic realm="api", Digest nonce="1"', 403);
    const { questions } = await setUp(evidence());
    const question = questions.at(-1);
    assert.ok(question?.kind === "choice");
    assert.deepEqual(
      question.options.map(({ value }) => value),
      ["Bearer, with a token that users enter", "Basic"],
    );
    assert.equal((await proposed(evidence(), { scheme: "Basic" })).type, "WebBasic");
  });

  it("RFC 9728, 5.1: a challenge that names the API's metadata offers OAuth 2.0 at its issuer", async () => {
    const metadata = "/.well-known/oauth-protected-resource/v1/issues";
    server.respond = (_, path) => {
      if (path === metadata) return { body: { resource: `${server.base}/v1/issues`, authorization_servers: [other.base] } };
      return { status: 401, headers: { "www-authenticate": `Bearer resource_metadata="${server.base}${metadata}"` } };
    };
    other.respond = () => ({ body: { issuer: other.base, authorization_endpoint: `${other.base}/a`, token_endpoint: `${other.base}/t` } });
    const { questions } = await setUp(evidence());
    const question = questions.at(-1);
    assert.ok(question?.kind === "choice");
    assert.equal(question.options.length, 2);
    const run = await setUp(evidence(), { scheme: question.options[0]?.value ?? "" });
    assert.ok(run.questions.some(({ id }) => id === `look-up ${other.host}`));
    assert.ok(run.outcome?.kind === "proposal");
    assert.deepEqual(fieldsIn(run.outcome.proposal), {
      authorizationUrl: `${other.base}/a`,
      tokenUrl: `${other.base}/t`,
      resource: `${server.base}/v1/issues`,
    });
  });

  it("a Microsoft-shaped challenge that names its authorization page offers OAuth 2.0 at that issuer", async () => {
    challenge(`Bearer realm="", authorization_uri="${other.base}/tenant/oauth2/authorize"`);
    const document = {
      issuer: `${other.base}/tenant`,
      authorization_endpoint: `${other.base}/tenant/a`,
      token_endpoint: `${other.base}/tenant/t`,
    };
    other.respond = (_, path) => (path === "/tenant/.well-known/openid-configuration" ? { body: document } : undefined);
    const proposal = await proposed(evidence(), { scheme: "OAuth 2.0, at the provider that the API names" });
    assert.equal(fieldsIn(proposal).tokenUrl, `${other.base}/tenant/t`);
    other.respond = () => undefined;
    const { error } = await setUp(evidence(), { scheme: "OAuth 2.0, at the provider that the API names" });
    assert.match(error?.message ?? "", /publishes no metadata/);
  });

  it("RFC 9728, 2: metadata that demands bound tokens is impossible", async () => {
    const metadata = "/.well-known/oauth-protected-resource";
    const document = { resource: `${server.base}/v1/issues`, authorization_servers: [other.base], dpop_bound_access_tokens_required: true };
    server.respond = (_, path) =>
      path === metadata
        ? { body: document }
        : { status: 401, headers: { "www-authenticate": `Bearer resource_metadata="${server.base}${metadata}"` } };
    const { outcome } = await setUp(evidence(), { scheme: "OAuth 2.0, at the provider that the API names" });
    assert.ok(outcome?.kind === "impossible");
    assert.equal(outcome.reason, "dpop");
  });

  it("an address that answers without a credential needs none, and the proposal says so", async () => {
    server.respond = () => ({ body: { ok: true } });
    const proposal = await proposed(evidence());
    assert.equal(proposal.type, "None");
    assert.match(proposal.remarks.join(), /answers without a credential/);
  });

  const silent: Readonly<
    Record<string, readonly [response: Readonly<{ status?: number; headers?: Record<string, string>; body?: string }>, message: RegExp]>
  > = {
    "a refusal without a challenge": [{ status: 401 }, /refuses the request \(401\), and does not say how/],
    "a challenge of an unknown scheme": [{ status: 401, headers: { "www-authenticate": "HOBA challenge=1" } }, /asks for HOBA/],
    "404": [{ status: 404 }, /answers 404/],
    "503": [{ status: 503 }, /answers 503/],
    "a web page": [{ headers: { "content-type": "text/html; charset=utf-8" }, body: "<form>" }, /web page/],
  };
  for (const [what, [response, message]] of Object.entries(silent))
    it(`${what} is refused with what to do instead`, async () => {
      server.respond = () => response;
      const { error } = await setUp(evidence());
      assert.match(error?.message ?? "", message);
      assert.match(error?.hint ?? "", /cURL/);
    });

  it("a redirect to the login page of another host asks before it is followed", async () => {
    server.respond = () => ({ status: 302, headers: { location: `${other.base}/login` } });
    other.respond = () => ({ headers: { "content-type": "text/html" }, body: "<form>" });
    const { questions, error } = await setUp(evidence());
    assert.deepEqual(
      questions.map(({ id }) => id),
      [`look-up ${server.host}`, `look-up ${other.host}`],
    );
    assert.match(error?.message ?? "", /web page/);
  });

  it("a credential in the address is in no request and no proposal", async () => {
    challenge("Bearer");
    const proposal = await proposed({ kind: "address", text: `http://${CANARY}@${server.host}/v1/issues?access_token=${CANARY}` });
    assert.ok(!server.requests.join().includes(CANARY));
    assert.equal(proposal.remarks.length, 2);
  });
});
