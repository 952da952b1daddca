// The redirect address of the published pack: shown and copied before the browser opens, as long as the pack has an id.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { confirmRedirect } from "../../../platform/connect/flows/await-browser.ts";
import { publishedAddress } from "../../../platform/connect/published-address.ts";
import type { PublishedRedirect } from "../../../spec/published-redirect.ts";
import { flowContext } from "../../support/flow-context.ts";
import { makeHost } from "../../support/platform-host.ts";

const PROVIDER = { authorizationUrl: "https://acme.example/authorize", tokenUrl: "https://acme.example/token" };
const LOCAL = "http://localhost:3000/oauth";
const PUBLISHED = "https://docs.superhuman.com/packsAuth/oauth2/123456";

describe("The redirect address of the published pack", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-published-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  const withFile = (content: string | undefined): PublishedRedirect => {
    const file = join(folder, ".coda-pack.json");
    if (content === undefined) rmSync(file, { force: true });
    else writeFileSync(file, content);
    return publishedAddress(join(folder, "pack.ts"));
  };

  it("the address contains the pack ID of the SDK's file, with two legacy forms", () => {
    assert.deepEqual(withFile('{"packId":123456,"options":{}}'), {
      address: PUBLISHED,
      legacy: ["https://coda.io/packsAuth/oauth2/123456", "https://coda.io/packsAuth/oauth2"],
    });
  });

  for (const content of [undefined, "{}", '{"packId":-1}', '{"packId":"12/../.."}', '{"packId":1.5}', '{"packId":1e300}'])
    it(`a pack with ${content ?? "no file"} has no address, and packs create or packs link is suggested`, () => {
      const published = withFile(content);
      assert.match(published.address ?? published.whereToFind, /^Run packs create or packs link/);
    });

  for (const content of ["", "{", "null", "[]", "7"])
    it(`a pack whose file has the text '${content}' has no address, and its file is to be corrected`, () => {
      const published = withFile(content);
      assert.match(published.address ?? published.whereToFind, /^Correct the file \.coda-pack\.json/);
    });

  const TENANT = { packId: 123456, environmentPackIds: { "acme.coda.io": 77 }, options: { apiEndpoint: "https://acme.coda.io" } };
  it("packId decides the address unless another endpoint is in force", () => {
    for (const options of [
      undefined,
      null,
      {},
      { apiEndpoint: "https://coda.io" },
      { apiEndpoint: 7 },
      { apiEndpoint: "https://[x](command:y)" },
    ])
      assert.equal(withFile(JSON.stringify({ ...TENANT, options })).address, PUBLISHED, JSON.stringify(options));
  });

  it("a single-tenant pack gets its ID and the platform's dialog, no guessed address", async () => {
    const published = withFile(JSON.stringify(TENANT));
    assert.ok(published.address === undefined);
    assert.match(published.whereToFind, /^Pack 77 at acme\.coda\.io: its dialog Add OAuth credentials shows the redirect address\.$/);
    const host = makeHost({ replies: { "edirect address": ["copy", "open"] } });
    await confirmRedirect(flowContext(PROVIDER, { host, published }), LOCAL, {});
    assert.ok(host.offered.includes(published.whereToFind));
    assert.ok(!host.offered.some((text) => text.includes("123456")));
  });

  for (const environmentPackIds of [undefined, null, 7, {}, { "other.coda.io": 8 }, { "acme.coda.io": -1 }, { "acme.coda.io": "77" }])
    it(`a single-tenant pack without an ID has no address: environmentPackIds ${JSON.stringify(environmentPackIds)}`, () => {
      const published = withFile(JSON.stringify({ ...TENANT, environmentPackIds }));
      assert.match(published.address ?? published.whereToFind, /^Run packs create or packs link/);
    });

  it("the address can be copied before the browser opens, beside the local one", async () => {
    const host = makeHost({ replies: { "edirect address": ["published", "copy", "open"] } });
    const published = withFile('{"packId":123456}');
    assert.deepEqual(await confirmRedirect(flowContext(PROVIDER, { host, published }), LOCAL, {}), { forcePkce: false });
    assert.deepEqual(host.copied, [PUBLISHED, LOCAL]);
    assert.ok(host.offered.includes("Register it too. Legacy: coda.io/packsAuth/oauth2/123456, coda.io/packsAuth/oauth2."));
  });

  it("a pack without an ID gets a hint where to find the address", async () => {
    const host = makeHost({ replies: { "edirect address": ["copy", "open"] } });
    await confirmRedirect(flowContext(PROVIDER, { host }), LOCAL, {});
    assert.deepEqual(host.copied, [LOCAL]);
    assert.ok(host.offered.some((text) => /packs create or packs link/.test(text)));
    assert.ok(!host.offered.includes("published"));
  });
});
