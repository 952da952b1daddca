// A pack's only domain that nothing goes to, beside requests to one that is spelt nearly so: the domain is mistyped.
import assert from "node:assert/strict";
import { analyse } from "../../support/analyse.ts";
import { fixesOf } from "../../support/flagged.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const get = (url: string, name = "A"): string =>
  `pack.addFormula({ name: "${name}", description: "A.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { const answer = await context.fetcher.fetch({ method: "GET", url: ${url} }); return answer.body; } });\n`;
const titles = (source: string): readonly string[] => Object.keys(fixesOf(`${HEAD}${source}`, "fetch-host-undeclared"));

describe("a non-public host", () => {
  const HOSTS = ["localhost:3000", "app.localhost", "127.0.0.1", "[::1]", "10.0.0.7", "8.8.8.8", "intranet"];

  it("the host is never offered as a network domain", () => {
    const auth = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
    for (const host of HOSTS) {
      const request = get(`"https://${host}/me"`);
      assert.deepEqual(titles(`pack.addNetworkDomain("acme.com");\n${auth}${request}`), [], host);
      assert.deepEqual(Object.keys(fixesOf(`${HEAD}${auth}${request}`, "network-domain-missing")), [], host);
      const server = `pack.addMCPServer({ name: "A", endpointUrl: "https://${host}/mcp" });\n`;
      assert.deepEqual(Object.keys(fixesOf(`${HEAD}${server}`, "mcp-host-undeclared")), [], host);
      const step = `postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "A", description: "A", getOptions: async () => ["https://${host}"] }]`;
      const offered = `pack.addNetworkDomain("acme.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, ${step} });\n`;
      assert.deepEqual(Object.keys(fixesOf(`${HEAD}${offered}`, "endpoint-domain-undeclared")), [], host);
    }
  });
});

describe("the host of an MCP server", () => {
  it("an IPv6 address is named in full", () => {
    const source = `${HEAD}pack.addNetworkDomain("acme.com");\npack.addMCPServer({ name: "A", endpointUrl: "https://[::1]:3000/mcp" });\n`;
    assert.deepEqual(
      analyse({ "/pack.ts": source }, { toolkit: false })
        .diagnostics("/pack.ts")
        .filter(({ rule }) => rule === "mcp-host-undeclared")
        .map(({ message }) => message),
      ["Write the server's public host. [::1] has no public name, so the platform rejects the MCP server."],
    );
  });
});

describe("a mistyped network domain", () => {
  const MISTYPED = 'pack.addNetworkDomain("amce.com");\n';

  it("a replacement is offered before a second domain", () => {
    const source = `${MISTYPED}${get('"https://eu.acme.com/me"')}${get('"https://acme.com/you"', "B")}`;
    const fixes = fixesOf(`${HEAD}${source}`, "fetch-host-undeclared");
    assert.deepEqual(Object.keys(fixes), ["Change the network domain amce.com to acme.com", "Add network domain eu.acme.com"]);
    assert.equal(fixes["Change the network domain amce.com to acme.com"], `${HEAD}${source}`.replace("amce.com", "acme.com"));
  });

  const RIGHT: Readonly<Record<string, string>> = {
    "another request goes to it": `${MISTYPED}${get('"https://amce.com/a"')}${get('"https://acme.com/a"', "B")}`,
    "another request goes elsewhere": `${MISTYPED}${get('"https://b.example/a"')}${get('"https://acme.com/a"', "B")}`,
    "another request's host is not known": `${MISTYPED}${get("context.endpoint + '/a'")}${get('"https://acme.com/a"', "B")}`,
    "the pack names it elsewhere": `${MISTYPED}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "amce.com" });\n${get('"https://acme.com/a"')}`,
    "the other one is far": `pack.addNetworkDomain("other.com");\n${get('"https://acme.com/a"')}`,
    "there are several": `pack.addNetworkDomain("amce.com", "b.example");\n${get('"https://acme.com/a"')}`,
    "it is a domain below": `pack.addNetworkDomain("eu.acme.com");\n${get('"https://us.acme.com/a"')}`,
  };
  for (const [name, source] of Object.entries(RIGHT))
    it(`no replacement is offered when ${name}`, () =>
      assert.ok(
        titles(source).every((title) => title.startsWith("Add network domain")),
        titles(source).join(),
      ));
});

describe("a domain added beside an invalid one", () => {
  it("the fix does not copy the invalid domain", () => {
    for (const declared of ['"{subdomain}.acme.io"', '"https://acme.io"']) {
      const source = `${HEAD}pack.addNetworkDomain(${declared});\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\nexport const get = (context) => context.fetcher.fetch({ method: "GET", url: "https://api.acme.com/me" });\n`;
      const [[title, fixed = ""] = []] = Object.entries(fixesOf(source, "fetch-host-undeclared"));
      assert.equal(title, "Add network domain acme.com");
      assert.doesNotMatch(fixed, /networkDomain:/);
    }
  });
});
