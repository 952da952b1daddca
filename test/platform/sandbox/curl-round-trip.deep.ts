// From a configuration to a request at the sandbox, to cURL, and back to the same configuration: one for each type that has a credential.
import assert from "node:assert/strict";
import { sandboxAccount } from "../../../platform/connect/sandbox-account.ts";
import { makeTemporary } from "../../../platform/files/make-temporary.ts";
import { removeTemporary } from "../../../platform/files/remove-temporary.ts";
import { run } from "../../../platform/runs/run.ts";
import { inputOf } from "../../../platform/runs/run-input.ts";
import { observe } from "../../../platform/runs/run-observer.ts";
import { registerPack } from "../../../platform/sandbox/register-pack.ts";
import { readCurl } from "../../../platform/setup/readers/curl.ts";
import type { AuthTypeName } from "../../../spec/auth-type-name.ts";
import { curlOf, recording, type SandboxRequest } from "../../support/curl-of-request.ts";
import { pack, sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { assertLegal, fieldsIn } from "../../support/setup.ts";
import { proposalOf, readEvidence } from "../setup/readers/read-evidence.ts";

interface RoundTrip {
  readonly configuration: Readonly<Record<string, unknown>>;
  /** What the request shows: the type with its fields. OAuth's is the header that carries the token. */
  readonly back: readonly [type: AuthTypeName, fields?: Readonly<Record<string, unknown>>];
  readonly answers?: Readonly<Record<string, string>>;
  readonly domain?: string;
  /** Headers and body of the formula's request, as source code. */
  readonly request?: string;
}

const TOKEN_URL = "https://login.shop.example/token";
const OAUTH2 = { authorizationUrl: "https://login.shop.example/authorize", tokenUrl: TOKEN_URL };
const value = (name: string) => ({ name, description: `The value of ${name}.` });

type Without = "None" | "Various";
/** The types that the sandbox cannot check, because they need a file of keys from Google. */
type Elsewhere = "GoogleServiceAccount" | "GoogleDomainWideDelegation";

const ROUND_TRIPS: Readonly<Record<Exclude<AuthTypeName, Without | Elsewhere>, readonly RoundTrip[]>> = {
  HeaderBearerToken: [{ configuration: {}, back: ["HeaderBearerToken"] }],
  CodaApiHeaderBearerToken: [{ configuration: {}, back: ["HeaderBearerToken"] }],
  CustomHeaderToken: [
    { configuration: { headerName: "X-Shop-Key" }, back: ["CustomHeaderToken", { headerName: "x-shop-key" }] },
    {
      configuration: { headerName: "Authorization", tokenPrefix: "Shop-Key" },
      back: ["CustomHeaderToken", { headerName: "Authorization", tokenPrefix: "Shop-Key" }],
    },
  ],
  MultiHeaderToken: [
    {
      configuration: { headers: [{ ...value("x-app-token"), tokenPrefix: "Token" }, value("x-shop-key")] },
      back: ["MultiHeaderToken", { headers: [{ ...value("x-app-token"), tokenPrefix: "Token" }, value("x-shop-key")] }],
    },
  ],
  QueryParamToken: [{ configuration: { paramName: "api_key" }, back: ["QueryParamToken", { paramName: "api_key" }] }],
  MultiQueryParamToken: [
    {
      configuration: { params: [value("auth-id"), value("auth-token")] },
      answers: { values: "user" },
      back: ["MultiQueryParamToken", { params: [value("auth-id"), value("auth-token")] }],
    },
  ],
  WebBasic: [
    { configuration: {}, back: ["WebBasic"] },
    {
      configuration: { uxConfig: { usernameOnly: true } },
      answers: { "basic-password": "name-only" },
      back: ["WebBasic", { uxConfig: { usernameOnly: true } }],
    },
  ],
  Custom: [
    {
      configuration: { params: [value("key"), value("secret")] },
      request:
        'headers: { "X-Shop-Key": `{{key-${context.invocationToken}}}`, "Content-Type": "application/json" }, body: JSON.stringify({ secret: `{{secret-${context.invocationToken}}}` })',
      answers: { values: "user" },
      back: [
        "Custom",
        {
          params: [
            { name: "shopKey", description: "The value of the header x-shop-key." },
            { name: "secret", description: "The value of the field secret of the body." },
          ],
        },
      ],
    },
  ],
  AWSAccessKey: [{ configuration: { service: "s3" }, domain: "amazonaws.com", back: ["AWSAccessKey", { service: "s3" }] }],
  AWSAssumeRole: [{ configuration: { service: "s3" }, domain: "amazonaws.com", back: ["AWSAccessKey", { service: "s3" }] }],
  OAuth2ClientCredentials: [{ configuration: { tokenUrl: TOKEN_URL }, back: ["HeaderBearerToken"] }],
  OAuth2: [
    { configuration: OAUTH2, back: ["HeaderBearerToken"] },
    {
      configuration: { ...OAUTH2, tokenPrefix: "Shop-OAuth" },
      back: ["CustomHeaderToken", { headerName: "Authorization", tokenPrefix: "Shop-OAuth" }],
    },
    { configuration: { ...OAUTH2, tokenQueryParam: "access_token" }, back: ["QueryParamToken", { paramName: "access_token" }] },
  ],
};

const sourceOf = (type: string, { configuration, domain = "shop.example", request }: RoundTrip): string => `
import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("${domain}");
pack.setUserAuthentication({ type: coda.AuthenticationType.${type}, ...${JSON.stringify(configuration)} } as any);
pack.addFormula({
  name: "Orders", description: "Orders.", parameters: [], resultType: coda.ValueType.String,
  execute: async function ([], context) {
    const response = await context.fetcher.fetch({
      method: "${request === undefined ? "GET" : "POST"}", url: "https://api.${domain}/orders?page=1", ${request ?? ""}
    });
    return JSON.stringify(response.body);
  },
});
`;

describe("A configuration, its request as cURL, and the configuration that is read of it", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removePackFiles);

  async function requestAt(type: string, roundTrip: RoundTrip): Promise<SandboxRequest> {
    const opened = await pack(packFiles({ "pack.ts": sourceOf(type, roundTrip) }));
    const folder = makeTemporary("pack-auth-round-trip-");
    try {
      const registered = await registerPack(sandbox, opened);
      const { signal } = new AbortController();
      const { world, requests } = recording(
        await sandboxAccount(opened, opened.definition, registered, { folder, packName: "shop", signal }),
      );
      const { outcome } = await run(inputOf({ kind: "formula", name: "Orders" }, []), world, observe());
      assert.equal(outcome.status, "succeeded", JSON.stringify(outcome));
      const request = requests.find(({ url }) => url.includes("/orders"));
      assert.ok(request);
      return request;
    } finally {
      removeTemporary(folder);
    }
  }

  for (const [type, roundTrips] of Object.entries(ROUND_TRIPS))
    for (const roundTrip of roundTrips)
      it(`${type} ${JSON.stringify(roundTrip.configuration)} comes back as ${roundTrip.back[0]}`, async () => {
        const { domain = "shop.example", back, answers } = roundTrip;
        const request = await requestAt(type, roundTrip);
        const outcome = await readEvidence(readCurl, curlOf(request), answers);
        const proposal = proposalOf(outcome);
        assertLegal(proposal);
        assert.deepEqual([proposal.type, fieldsIn(proposal)], [back[0], back[1] ?? {}]);
        assert.deepEqual(
          proposal.domains.map((each) => each.domain),
          [`api.${domain}`],
        );
        const [url] = proposal.formula?.request.url ?? [];
        assert.equal(url, `https://api.${domain}/orders?page=1`);
      });
});
