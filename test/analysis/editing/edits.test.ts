// Fixes keep the author's hand: indentation, line ends, comments, trailing commas, and whatever else stands in the object.
import assert from "node:assert/strict";
import { z } from "zod";
import { analyse, apply, split } from "../../support/analyse.ts";
import { readTable } from "../../support/json-cases.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const BASIC = "type: coda.AuthenticationType.WebBasic";

/** The configuration before → after the first fix of its first finding. */
const EDITS = readTable("test/analysis/editing/cases/edits.json", z.record(z.string(), z.tuple([z.string(), z.string()])));

describe("edits", () => {
  for (const [name, [before, after]] of Object.entries(EDITS)) {
    it(`the fix keeps the formatting: ${name}`, () => {
      const eol = before.includes("\r\n") ? "\r\n" : "\n";
      const make = (config: string): string =>
        `${HEAD}const uxOptions = {};\npack.setUserAuthentication(${config});\n`.replaceAll(/\r?\n/g, eol);
      const files = split(make(before));
      const fix = analyse(files).diagnostics("/pack/pack.ts")[0]?.fixes?.[0];
      assert.ok(fix, "there is a fix");
      assert.equal(apply(files, fix)["/pack/pack.ts"], make(after));
    });
  }

  it("a field that is spread in from elsewhere is not removed there", () => {
    const files = split(`${HEAD}const shared = { headerName: "X" };\npack.setUserAuthentication({ ${BASIC}, ...shared });\n`);
    const findings = analyse(files).diagnostics("/pack/pack.ts");
    assert.deepEqual(
      findings.map(({ rule, fixes }) => [rule, fixes?.length]),
      [["field-not-for-type", 0]],
    );
  });

  it("a domain is declared right before the setter, wherever that is", () => {
    const source = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\nif (true) {\n\tpack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n}\npack.addFormula({ name: "A", execute: async (_, context) => context.fetcher.fetch({ method: "GET", url: "https://api.acme.com/x" }) });\n`;
    const files = split(source);
    const fix = analyse(files).diagnostics("/pack/pack.ts")[0]?.fixes?.[0];
    assert.ok(fix);
    assert.match(apply(files, fix)["/pack/pack.ts"] ?? "", /\{\n\tpack\.addNetworkDomain\("acme\.com"\);\n\tpack\.setUser/);
  });

  it("a domain is declared in the setter's own statement where no other fits", () => {
    const oauth =
      '.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://acme.com/a", tokenUrl: "https://acme.com/t" });';
    for (const before of ["if (x)\n  ", "if (x) y(); else ", "for (const _ of [1]) ", "once: "]) {
      const make = (setter: string): string => `${HEAD.replace(/pack\.add.*\n/, "")}${before}pack${setter}\n`;
      const files = split(make(oauth));
      const fix = analyse(files)
        .diagnostics("/pack/pack.ts")
        .find(({ rule }) => rule === "network-domain-missing")?.fixes[0];
      assert.ok(fix, before);
      assert.equal(apply(files, fix)["/pack/pack.ts"], make(`.addNetworkDomain("acme.com")${oauth}`));
    }
  });
});

describe("the fix that makes a string a template", () => {
  const pack = (url: string): string =>
    `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });
export async function get(context) {
  return context.fetcher.fetch({ method: "GET", url: ${url} });
}
`;
  const fixesOf = (url: string): readonly string[] => {
    const findings = analyse(split(pack(url)))
      .diagnostics("/pack/pack.ts")
      .filter(({ rule }) => rule === "placeholder-malformed");
    assert.equal(findings.length, 1);
    return findings.flatMap(({ fixes }) => fixes.map(({ title }) => title));
  };

  it("the fix is offered when names are between the braces", () => {
    assert.deepEqual(fixesOf('"https://example.com/${context.endpoint}?key={{apiKey-${context.invocationToken}}}"'), [
      "Make the string a template",
    ]);
  });

  it("the fix is not offered when the result would not parse", () => {
    assert.deepEqual(fixesOf("\"https://example.com/?key={{apiKey-${scopes: 'a b',context.invocationToken}}}\""), []);
    assert.deepEqual(fixesOf('"https://example.com/${a b}?key={{apiKey-${context.invocationToken}}}"'), []);
  });
});
