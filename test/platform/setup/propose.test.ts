import assert from "node:assert/strict";
import { propose } from "../../../platform/setup/propose.ts";
import { openFaultyServer } from "../../support/faulty-server.ts";
import { CANARY, localHost, openSetupServer, proposed, type SetupServer, setUp } from "../../support/setup.ts";

describe("A proposal from evidence", function () {
  this.timeout(30_000);
  let server: SetupServer;
  before(async () => {
    server = await openSetupServer();
  });
  after(() => server.close());
  beforeEach(() => {
    server.requests.length = 0;
    server.respond = () => ({ status: 401, headers: { "www-authenticate": "Bearer" } });
  });

  it("a URL that could be several kinds is a question, and its answer leads to the reader", async () => {
    const { questions } = await setUp({ text: `http://${CANARY}@${server.host}/v1?key=${CANARY}` });
    assert.deepEqual(
      questions.map(({ id, text }) => [id, text]),
      [["kind", `What is at ${server.host}?`]],
    );
    assert.equal((await proposed({ text: `${server.base}/v1` }, { kind: "address" })).type, "HeaderBearerToken");
    assert.equal((await setUp({ text: `${server.base}/v1` }, { kind: "issuer" })).error?.code, "evidence-unreadable");
  });

  it("a token of a published form is in no proposal, wherever the evidence has it", async () => {
    const token = `ghp_${"a1".repeat(20)}`;
    const bearer = "-H 'Authorization: Bearer some-token'";
    const request = { text: `curl ${bearer} -H 'Accept: text/${token}' https://a.example.com/x` };
    const question = await propose(request, {}, localHost());
    assert.ok(question.kind === "question" && question.question.id === "values");
    const constant = await propose(request, { values: "constant" }, localHost());
    assert.ok(constant.kind === "proposal" && constant.proposal.formula === undefined);
    assert.match(constant.proposal.remarks.join(), /contains a token/);
    assert.doesNotMatch(JSON.stringify([question, constant]), /ghp_/);
    const description = (scheme: object) =>
      JSON.stringify({
        openapi: "3.0.0",
        paths: {},
        servers: [{ url: "https://a.example.com" }],
        components: { securitySchemes: { a: scheme } },
      });
    for (const text of [
      `curl -d grant_type=client_credentials https://a.example.com/${token}/token`,
      description({ type: "apiKey", in: "query", name: token }),
      JSON.stringify({
        issuer: "https://a.example.com",
        authorization_endpoint: `https://b.example.com/${token}`,
        token_endpoint: "https://a.example.com/t",
      }),
    ]) {
      const { error, outcome } = await setUp(
        { text },
        {
          "api-domain": "a.example.com",
          security: "components.securitySchemes.a",
          "other-origin": "use",
          "api-host": "a.example.com",
          "address-part": "constant",
        },
      );
      assert.match(`${error?.message}`, /has a token at a place/, JSON.stringify(outcome));
    }
  });

  it("an answer that the question does not accept leads to the question again", async () => {
    const first = await propose({ text: server.base }, { kind: "curl" }, localHost());
    assert.ok(first.kind === "question" && first.question.id === "kind");
    server.respond = () => ({ status: 401, headers: { "www-authenticate": "AWS4-HMAC-SHA256" } });
    const answers = { [`look-up ${server.host}`]: "yes", "aws-service": "Not A Name" };
    const second = await propose({ kind: "address", text: server.base }, answers, localHost());
    assert.ok(second.kind === "question" && second.question.id === "aws-service");
  });

  it("a text that is no evidence is refused without a quotation", async () => {
    const { error } = await setUp({ text: `my secret is ${CANARY}` });
    assert.match(error?.message ?? "", /no evidence/);
    assert.match(error?.hint ?? "", /cURL/);
  });

  it("an OpenAPI file at a URL is fetched after a yes, without the URL's query", async () => {
    server.respond = () => ({ status: 404 });
    const { questions, error } = await setUp({ text: `${server.base}/openapi.json?key=${CANARY}` }, { kind: "openapi" });
    assert.deepEqual(
      questions.map(({ id }) => id),
      ["kind", `look-up ${server.host}`],
    );
    assert.match(error?.message ?? "", /answers 404 instead of a description/);
    assert.match(server.requests.join(), /^GET \/openapi\.json /);
    assert.ok(!server.requests.join().includes(CANARY));
  });

  it("a cancelled set-up ends at once with the signal's reason, although the server does not answer", async () => {
    const stalled = await openFaultyServer("stalled");
    try {
      const stopping = new AbortController();
      setTimeout(() => stopping.abort(new Error("stopped")), 50);
      const answers = { [`look-up ${new URL(stalled.origin).host}`]: "yes" };
      await assert.rejects(propose({ kind: "address", text: stalled.origin }, answers, localHost(), stopping.signal), /stopped/);
      assert.equal(stalled.requests(), 1);
    } finally {
      stalled.close();
    }
  });
});
