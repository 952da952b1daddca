// Facts never change: an edit moves the anchors that their places ask, and nothing else.
import assert from "node:assert/strict";
import type { FileFacts } from "../../../server/analysis/model/facts.ts";
import { createSource, type Source } from "../../../server/analysis/source/source.ts";
import { factsAsText } from "../../support/facts-as-text.ts";

const MODULES = ["@codahq/packs-sdk"];
const FILE = "/pack/pack.ts";

const STATEMENTS = [
  `import * as coda from "@codahq/packs-sdk";`,
  "export const pack = coda.newPack();",
  "let domain = `example.com`;",
  `if (process.env.LOCAL) domain = "example.org";`,
  "const config = { type: coda.AuthenticationType.CustomHeaderToken, headerName: `X-Key`, ...more() };",
  `config.tokenPrefix = "Token";`,
  "pack.addNetworkDomain(domain);",
  "pack.setUserAuthentication(config);",
  "class Api { static base = `https://${domain}`; get(context, path) { return context.fetcher.fetch({ method: `GET`, url: context.endpoint + path }); } }",
  "pack.addFormula({ name: `A`, execute: async ([], context) => new Api().get(context, `/{{key-${context.invocationToken}}}`) });",
  `const secret = "${["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_")}";`,
];

/** Whatever is reached but anchors, which are there to be moved. */
function freeze(item: unknown, visited = new Set<unknown>()): void {
  if (typeof item !== "object" || item === null || visited.has(item)) return;
  visited.add(item);
  if (item instanceof Map || item instanceof Set) for (const part of item) freeze(part, visited);
  for (const [key, part] of Object.entries(item)) if (key !== "anchor") freeze(part, visited);
  Object.freeze(item);
}

/** The facts, all of them, frozen. */
function frozen(source: Source): FileFacts {
  const facts = source.facts(MODULES);
  freeze(facts);
  for (const name of facts.text.match(/\w+/g) ?? [])
    freeze([facts.declarations.get(name), facts.declarations.changesOf(name), facts.declarations.assignedAt(name, facts.text.length)]);
  return facts;
}

describe("frozen facts", () => {
  STATEMENTS.forEach((statement, index) => {
    it(`facts stay right after an edit before ${statement.slice(0, 40)}`, () => {
      let text = STATEMENTS.join("\n");
      const source = createSource(FILE, text);
      const start = text.indexOf(statement);
      const edit = (at: number, length: number, put: string): void => {
        source.edit({ start: at, end: at + length, text: put });
        text = text.slice(0, at) + put + text.slice(at + length);
        assert.equal(factsAsText(source), factsAsText(createSource(FILE, text)));
        frozen(source);
      };
      frozen(source);
      edit(start, 0, "other();\n");
      edit(start, "other();\n".length, "");
      edit(start, 0, "/* a comment */ ");
      if (index > 0) edit(text.indexOf(STATEMENTS[index - 1] ?? ""), 0, "\n\n");
    });
  });

  it("facts behind an edit are reused with their new positions", () => {
    const text = STATEMENTS.join("\n");
    const source = createSource(FILE, text);
    const before = frozen(source);
    const [setter] = before.calls.filter(({ method }) => method === "setUserAuthentication");
    const use = before.contextCalls.at(-1);
    assert.ok(setter && use && before.secrets[0] && before.endpointUses[0]);
    source.edit({ start: text.indexOf("let domain"), end: text.indexOf("let domain"), text: "let other;\n" });
    const after = frozen(source);
    assert.ok(after.calls.includes(setter) && after.contextCalls.includes(use) && after.secrets[0] === before.secrets[0]);
    const textAt = (place: { readonly start: number; readonly end: number }): string => source.text().slice(place.start, place.end);
    assert.equal(textAt(setter.place), "pack.setUserAuthentication(config)");
    assert.equal(textAt(setter.nameSpan), "setUserAuthentication");
    assert.equal(textAt(before.endpointUses[0].place), "context.endpoint");
    assert.match(textAt(before.secrets[0].place), /^ghp_\w+$/);
  });
});
