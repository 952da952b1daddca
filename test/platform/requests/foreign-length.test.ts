// Texts from outside that are made to be slow to look at: each is as long as a server, a pack or a person can make it, and the time-out
// of the test is what fails it.
import assert from "node:assert/strict";
import { endpointFrom } from "../../../platform/connect/flows/exchanged-endpoint.ts";
import type { FlowContext } from "../../../platform/connect/flows/flow.ts";
import { challengesIn } from "../../../platform/diagnosis/challenges.ts";
import { endpointProblem, normaliseEndpoint, withoutEndSlashes } from "../../../platform/network/endpoint.ts";
import { checkUrl } from "../../../platform/network/url-policy.ts";
import { replacePlaceholders } from "../../../platform/requests/placeholders.ts";
import { readDate } from "../../../platform/runs/read-date.ts";
import { credentialProblem } from "../../../platform/sandbox/check-credential.ts";
import { auth, INVOCATION } from "../../support/broker.ts";

const LONG = 240_000;
const slashes = "/".repeat(LONG);

describe("The cost of long foreign text", () => {
  it("an endpoint of many slashes is refused for its length", () => {
    const value = `https://acme.example${slashes}x`;
    assert.match(endpointProblem(value) ?? "", /more than 2,048 characters/);
    const context = { auth: auth("OAuth2", { endpointKey: "site" }), scope: "user" } as unknown as FlowContext;
    for (const site of [value, `${value}/`, slashes])
      assert.throws(() => endpointFrom(context, { raw: { site }, members: ["site"] }), {
        code: "endpoint-invalid",
        message: "The token response's site has more than 2,048 characters, too many for an address.",
        configPath: "userAuthentication.endpointKey",
      });
  });

  it("trailing slashes are removed in linear time", () => {
    assert.equal(withoutEndSlashes(`a${slashes}`), "a");
    assert.equal(withoutEndSlashes(slashes), "");
    assert.equal(withoutEndSlashes(`${slashes}x`), `${slashes}x`);
    assert.equal(normaliseEndpoint(`acme.example${slashes}x`), `https://acme.example${slashes}x`);
    const policy = { domains: ["acme.example"], endpoint: `https://acme.example${slashes}x` };
    assert.equal(checkUrl("/v1", "GET", policy).allowed, true);
  });

  it("a long challenge of any form is read in time", () => {
    for (const odd of ["a", 'a="', "a = ", 'a="\\', "=", "a=b ", '"'].map((text) => text.repeat(LONG / text.length)))
      assert.ok(Array.isArray(challengesIn(odd)));
    assert.ok(Array.isArray(challengesIn(`a${" ".repeat(LONG)}b`)));
  });

  it("a long text is no date", () => {
    for (const text of [`(${" ".repeat(LONG)}`, `1${" ".repeat(LONG)}x`, "(".repeat(LONG), "1 ".repeat(LONG)])
      assert.equal(readDate(text), undefined);
  });

  it("a placeholder with an overlong name is refused with a short message", () => {
    const text = `{{${"n".repeat(5_000_000)}-${INVOCATION}}}`;
    assert.throws(
      () => replacePlaceholders(text, "text", { invocationToken: INVOCATION, values: { key: "v", other: "w" } }),
      ({ message }: Error) => /does not name a param of the account/.test(message) && message.length < 300,
    );
  });

  it("the sandbox scans a long body for leftover placeholders in time", async () => {
    const request = { url: new URL("https://acme.example/"), headers: {}, method: "POST", body: `{{${" ".repeat(LONG)}x`.repeat(2) };
    const custom = auth("Custom", { params: [{ name: "key", description: "Key" }] });
    const credential = { kind: "values", values: { key: "the-value" } } as const;
    const side = { auth: custom, credential, sendsTo: () => true, scopesOf: async () => undefined };
    assert.match((await credentialProblem(request, side)) ?? "", /no value of the account/);
  });
});
