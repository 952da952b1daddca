// From a configuration to a request at the sandbox, to cURL, and back to the same configuration: one for each type that has a credential.
import assert from "node:assert/strict";
import { z } from "zod";
import { sandboxAccount } from "../../../platform/connect/sandbox-account.ts";
import { makeTemporary } from "../../../platform/files/make-temporary.ts";
import { removeTemporary } from "../../../platform/files/remove-temporary.ts";
import { run } from "../../../platform/runs/run.ts";
import { inputOf } from "../../../platform/runs/run-input.ts";
import { observe } from "../../../platform/runs/run-observer.ts";
import { registerPack } from "../../../platform/sandbox/register-pack.ts";
import { readCurl } from "../../../platform/setup/readers/curl.ts";
import type { AuthTypeName } from "../../../spec/auth-type-name.ts";
import { AUTH_TYPES } from "../../../spec/auth-types.ts";
import { curlOf, recording, type SandboxRequest } from "../../support/curl-of-request.ts";
import { readTable, texts } from "../../support/json-cases.ts";
import { pack, sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { assertLegal, fieldsIn } from "../../support/setup.ts";
import { proposalOf, readEvidence } from "../setup/readers/read-evidence.ts";

const fields = z.record(z.string(), z.unknown());
const roundTrip = z.strictObject({
  configuration: fields,
  /** What the request shows: the type with its fields. OAuth's is the header that carries the token. */
  back: z.tuple([z.string(), fields.optional()]),
  answers: texts.optional(),
  domain: z.string().default("shop.example"),
  /** Headers and body of the formula's request, as source code. */
  request: z.string().optional(),
});
type RoundTrip = z.infer<typeof roundTrip>;

/** The types without a credential, and those that the sandbox cannot check, because they need a file of keys from Google. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "None",
  "Various",
  "GoogleServiceAccount",
  "GoogleDomainWideDelegation",
] satisfies AuthTypeName[]);
const types = z.enum(Object.keys(AUTH_TYPES).filter((name) => !ELSEWHERE.has(name)));
const ROUND_TRIPS = readTable("sandbox/cases/round-trips.json", z.record(types, z.array(roundTrip)));

const sourceOf = (type: string, { configuration, domain, request }: RoundTrip): string => `
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
        const { domain, back, answers } = roundTrip;
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
