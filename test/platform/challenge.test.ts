// What an API's 401 and 403 tell of the credential: told beside the request, and with a getConnectionName that failed of it.
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { challengesIn, explainChallenge } from "../../platform/challenge.ts";
import { run } from "../../platform/run.ts";
import { auth, onWire, RUNS } from "../support/broker.ts";
import { connected } from "../support/connected.ts";
import { closePacks, launchSandbox, root } from "../support/packs.ts";
import { openWire, type Wire } from "../support/wire.ts";

const sent = (authorization: string) => ({ headers: { Authorization: authorization } });
const answered = (status: number, challenge: string) => ({ status, headers: { "www-authenticate": challenge } });

describe("Challenges of an API", () => {
  it("are read from a header as the standard has it, and as servers write it", () => {
    assert.deepEqual(challengesIn('Bearer realm="a, b", error="invalid_token", error_description="say \\"please\\"", Basic realm=x'), [
      { scheme: "bearer", parameters: { realm: "a, b", error: "invalid_token", error_description: 'say "please"' } },
      { scheme: "basic", parameters: { realm: "x" } },
    ]);
    assert.deepEqual(challengesIn("Negotiate, token"), [
      { scheme: "negotiate", parameters: {} },
      { scheme: "token", parameters: {} },
    ]);
    for (const odd of ["", ",,,", '="', "a=b", '"']) assert.ok(Array.isArray(challengesIn(odd)));
  });

  it("never fail to be read, whatever a server sends", () => {
    const part = fc.constantFrom('a="', "Bearer ", "=", ",", "\\", '"', 'error="x"', " ", "é", "\u0000", "__proto__=1", "token");
    const header = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 200 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(header, fc.integer({ min: 100, max: 599 }), (text, status) => {
        for (const { scheme, parameters } of challengesIn(text)) {
          assert.equal(typeof scheme, "string");
          for (const value of Object.values(parameters)) assert.equal(typeof value, "string");
        }
        explainChallenge(answered(status, text), sent("Bearer t"), oauth);
      }),
      { numRuns: RUNS },
    );
  });

  const oauth = auth("OAuth2", { scopes: ["read"] });
  const cases: Readonly<Record<string, [ReturnType<typeof explainChallenge>, RegExp, string]>> = {
    "wrong token prefix: a 401 that names another scheme than OAuth2 sent": [
      explainChallenge(answered(401, 'token realm="api"'), sent("Bearer t"), oauth),
      /asks for the scheme token, and the credential was sent with the prefix Bearer\. Try tokenPrefix: "token"/,
      "tokenPrefix",
    ],
    "an empty tokenPrefix where a scheme is wanted": [
      explainChallenge(answered(401, "Bearer"), sent("the-token"), auth("OAuth2", { tokenPrefix: "" })),
      /asks for the scheme bearer, and the credential was sent without a prefix/,
      "tokenPrefix",
    ],
    "another scheme than HeaderBearerToken can send": [
      explainChallenge(answered(401, "Token"), sent("Bearer t"), auth("HeaderBearerToken")),
      /CustomHeaderToken with headerName: "Authorization" and tokenPrefix: "token"/,
      "type",
    ],
    "Basic where a token was sent": [
      explainChallenge(answered(401, 'Basic realm="x"'), sent("Bearer t"), oauth),
      /AuthenticationType\.WebBasic/,
      "type",
    ],
    "RFC 6750, 3.1: invalid_token": [
      explainChallenge(answered(401, 'Bearer error="invalid_token", error_description="The token expired"'), sent("Bearer t"), oauth),
      /because the access token is expired or revoked, or its scopes are not those of this API\. Its answer: invalid_token — “The token expired”/,
      "scopes",
    ],
    "RFC 6750, 3.1: insufficient_scope": [
      explainChallenge(answered(403, 'Bearer error="insufficient_scope", scope="admin"'), sent("Bearer t"), oauth),
      /scopes lack one that this request needs.*Add the scope to scopes \(now: read\).*It names: admin\./,
      "scopes",
    ],
  };
  for (const [what, [explained, message, field]] of Object.entries(cases)) {
    it(`tells of ${what}`, () => {
      assert.match(explained?.message ?? "", message);
      assert.equal(explained?.field, field);
    });
  }

  it("tell nothing where the scheme is the right one, or the answer is no refusal", () => {
    assert.equal(explainChallenge(answered(401, "BEARER"), sent("Bearer t"), oauth), undefined);
    assert.equal(explainChallenge(answered(200, "token"), sent("Bearer t"), oauth), undefined);
    assert.equal(explainChallenge({ status: 401, headers: {} }, sent("Bearer t"), oauth), undefined);
    assert.equal(explainChallenge(answered(401, "Basic"), { headers: {} }, auth("QueryParamToken")), undefined);
  });

  it("stand beside the request that carried the credential", async () => {
    const wire: Wire = await openWire();
    try {
      wire.answer = (_request, response) => response.writeHead(401, { "www-authenticate": "token" }).end();
      const { send, traces } = onWire(wire);
      await send({ url: "https://good.com/" });
      assert.match(traces[0]?.warnings.join() ?? "", /asks for the scheme token/);
      await send({ url: "https://other.com/" });
      assert.deepEqual(traces[1]?.warnings, []);
    } finally {
      await wire.close();
    }
  });
});

describe("A run that the API refused", function () {
  this.timeout(30_000);
  it("says what the API said of the credential", async () => {
    const sandbox = await launchSandbox();
    try {
      const { opened, account } = await connected(sandbox, join(root, "examples/weather-bearer/pack.ts"));
      const [formula] = opened.definition.formulas;
      const other = { ...account, credential: { kind: "token", token: "another-token-of-nobody" } as const };
      const values = formula?.parameters.map(({ suggestedValue }) => suggestedValue ?? "Lisbon") ?? [];
      const report = await run(opened, { kind: "formula", name: formula?.name ?? "" }, values, { fetch, account: other });
      assert.ok(report.outcome.status === "failed", JSON.stringify(report.outcome));
      assert.match(report.outcome.error.hint ?? "", /invalid_token/);
    } finally {
      sandbox.stop();
      closePacks();
    }
  });
});
