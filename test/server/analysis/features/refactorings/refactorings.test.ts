// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
// Refactorings and fixes in rounds: what becomes of a source, and that edits made one after another come to the same at once.
import assert from "node:assert/strict";
import fc from "fast-check";
import { createDraft } from "../../../../../server/analysis/draft.ts";
import { unasked } from "../../../../../server/analysis/features/fixes/fix-all.ts";
import { fixInRounds } from "../../../../../server/analysis/features/fixes/fix-rounds.ts";
import { refactoringsAt } from "../../../../../server/analysis/features/refactorings/refactorings.ts";
import type { TextEdit } from "../../../../../server/analysis/model/findings.ts";
import { composeEdits } from "../../../../../server/analysis/text/compose-edits.ts";
import { parses } from "../../../../../server/analysis/text/parse.ts";
import { analyse, apply, split } from "../../../../support/analyse.ts";
import { RUNS } from "../../../../support/runs.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const FILE = "/pack/pack.ts";
const user = (config: string): string => `${HEAD}pack.setUserAuthentication(${config});\n`;
const applied = (source: string, edits: readonly TextEdit[]): string => apply({ [FILE]: source }, { title: "", edits })[FILE] ?? "";

/** The refactorings at `|`, each with what it makes of the source. */
function refactor(marked: string): ReadonlyMap<string, () => string> {
  const offset = marked.indexOf("|");
  const source = marked.slice(0, offset) + marked.slice(offset + 1);
  const analysis = analyse(split(source));
  return new Map(
    refactoringsAt(analysis, FILE, offset).map(({ title, edits }) => [
      title,
      () =>
        applied(
          source,
          edits(() => createDraft(analysis, FILE, () => {})),
        ),
    ]),
  );
}

const rulesOf = (source: string): readonly string[] =>
  analyse(split(source))
    .diagnostics(FILE)
    .filter(({ severity }) => severity === "error")
    .map(({ rule }) => rule);

describe("changing the type", () => {
  it("the change keeps what fits, removes what does not, and adds required fields", () => {
    const marked = user(`{
  type: coda.AuthenticationType.|CustomHeaderToken, // how it is sent
  headerName: "X-Key", // the API's own
  instructionsUrl: "https://example.com/help",
  tokenPrefix: "token",
  getConnectionName: async function (context) {
    return "Me";
  },
}`);
    const oauth = refactor(marked).get("Change the type to OAuth2")?.();
    assert.equal(
      oauth,
      user(`{
  type: coda.AuthenticationType.OAuth2, // how it is sent
  instructionsUrl: "https://example.com/help",
  tokenPrefix: "token",
  getConnectionName: async function (context) {
    return "Me";
  },
  authorizationUrl: "",
  tokenUrl: "",
}`),
    );
    assert.equal(
      refactor(marked).get("Change the type to None")?.(),
      user("{\n  type: coda.AuthenticationType.None, // how it is sent\n}"),
    );
  });

  it("the change leaves only blanks as findings, between any two types", () => {
    const fields: Readonly<Record<string, string>> = {
      HeaderBearerToken: "",
      CustomHeaderToken: ', headerName: "X", tokenPrefix: "t"',
      QueryParamToken: ', paramName: "k"',
      MultiHeaderToken: ', headers: [{ name: "A", description: "a" }]',
      Custom: ', params: [{ name: "a", description: "a" }], defaultConnectionRequirement: coda.ConnectionRequirement.Required',
      WebBasic: ', uxConfig: { placeholderUsername: "u" }',
      AWSAccessKey: ', service: "s3"',
      OAuth2: ', authorizationUrl: "https://example.com/a", tokenUrl: "https://example.com/t", scopes: ["a", "b"], scopeDelimiter: ","',
    };
    for (const [type, more] of Object.entries(fields)) {
      const line = `{ type: |coda.AuthenticationType.${type}${more} }`;
      const lines = line
        .replace("{ ", "{\n  ")
        .replaceAll(/, (?=\w+: )/g, ",\n  ")
        .replace(/ \}$/, "\n}");
      for (const config of [line, lines, lines.replace(/\n\}$/, ",\n}")]) {
        for (const [title, make] of refactor(user(config))) {
          if (!title.startsWith("Change the type")) continue;
          const result = make();
          assert.ok(parses(FILE, result), `${title}\n${result}`);
          assert.deepEqual(
            rulesOf(result).filter((rule) => rule !== "field-empty"),
            [],
            `${title}\n${result}`,
          );
        }
      }
    }
  });

  it("the change is offered on a literal type alone, for types of the setter", () => {
    const titles = (marked: string) => [...refactor(marked).keys()].filter((title) => title.startsWith("Change"));
    assert.ok(titles(user("{ ty|pe: coda.AuthenticationType.WebBasic }")).length > 5);
    assert.ok(!titles(user("{ ty|pe: coda.AuthenticationType.WebBasic }")).includes("Change the type to WebBasic"));
    assert.deepEqual(titles(user("{ type: coda.AuthenticationType.WebBasic, |uxConfig: {} }")), []);
    assert.deepEqual(titles(user("{ ty|pe: TYPE }").replace("pack.set", "const TYPE = coda.AuthenticationType.WebBasic;\npack.set")), []);
    const system = titles(user("{ ty|pe: coda.AuthenticationType.WebBasic }").replace("setUser", "setSystem"));
    assert.ok(system.length > 3 && !system.includes("Change the type to OAuth2"));
  });
});

describe("the query of an authorizationUrl", () => {
  it("the query moves into additionalParams", () => {
    const oauth = (url: string, more = ""): string =>
      user(`{ type: coda.AuthenticationType.OAuth2, authorizationUrl: ${url}, tokenUrl: "https://example.com/t"${more} }`);
    const result = refactor(oauth('"https://exam|ple.com/a?prompt=consent"')).get("Move the query into additionalParams")?.();
    assert.equal(result, oauth('"https://example.com/a"', ', additionalParams: { prompt: "consent" }'));
  });
});

describe("scopes as a constant", () => {
  const oauth = (scopes: string, before = ""): string =>
    user(
      `{\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://example.com/a",\n  tokenUrl: "https://example.com/t",\n  scopes: ${scopes},\n}`,
    ).replace("pack.set", `${before}pack.set`);

  it("scopes become a constant above the statement and its comment", () => {
    const result = refactor(oauth('["a|", "b"]', "// Each user's own.\n")).get("Extract the scopes to the constant SCOPES")?.();
    assert.equal(result, oauth("SCOPES", 'const SCOPES = ["a", "b"];\n// Each user\'s own.\n'));
    assert.deepEqual(rulesOf(result ?? ""), []);
  });

  it("scopes keep their lines, and the constant gets a free name", () => {
    const result = refactor(oauth('[\n    "a|",\n    "b", // read\n  ]', "const SCOPES = 1;\n")).get(
      "Extract the scopes to the constant OAUTH_SCOPES",
    )?.();
    assert.equal(result, oauth("OAUTH_SCOPES", 'const SCOPES = 1;\nconst OAUTH_SCOPES = [\n  "a",\n  "b", // read\n];\n'));
  });

  it("scopes that are no literal list, or already a constant, stay", () => {
    for (const scopes of ["[|]", '[...more, |"a"]', "[na|me]", "SCO|PES"])
      assert.deepEqual([...refactor(oauth(scopes)).keys()], [], scopes);
  });
});

describe("fixes in rounds", () => {
  const rounds = (source: string) => {
    const analysis = analyse(split(source));
    return applied(
      source,
      fixInRounds(
        createDraft(analysis, FILE, () => {}),
        FILE,
        unasked,
      ).edits,
    );
  };

  it("fixes continue as long as one leads to the next", () => {
    const oauth = (type: string, scheme: string): string =>
      user(`{ type: ${type}, authorizationUrl: "${scheme}://example.com/a", tokenUrl: "https://example.com/t" }`);
    const result = rounds(oauth('"OAuth22"', "http"));
    assert.equal(result, oauth("coda.AuthenticationType.OAuth2", "https"));
    assert.equal(rounds(result), result);
  });

  it("fixes remove nothing that somebody wrote, unless requested by kind", () => {
    const source = user('{ type: coda.AuthenticationType.WebBasic, headerName: "X", paramName: "k" }');
    assert.equal(rounds(source), source);
    const analysis = analyse(split(source));
    const { edits } = fixInRounds(
      createDraft(analysis, FILE, () => {}),
      FILE,
      ({ fixes }) => fixes.slice(0, 1),
    );
    assert.equal(applied(source, edits), user("{ type: coda.AuthenticationType.WebBasic }"));
  });

  it("a clean file and a file without a pack stay unchanged", () => {
    for (const source of [user("{ type: coda.AuthenticationType.WebBasic }"), "const x = 1;\n", ""]) assert.equal(rounds(source), source);
  });
});

describe("composed edits", () => {
  const step = fc.record({ at: fc.nat(40), length: fc.nat(8), text: fc.string({ maxLength: 5 }) });

  it("composed edits equal the edits in turn: ordered, disjoint, and none without effect", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.array(step, { maxLength: 8 }), (original, steps) => {
        const composed = composeEdits(original);
        let text = original;
        for (const { at, length, text: inserted } of steps) {
          const start = Math.min(at, text.length);
          const end = Math.min(start + length, text.length);
          text = text.slice(0, start) + inserted + text.slice(end);
          composed.replace({ start, end, text: inserted });
        }
        assert.equal(composed.text, text);
        const edits = composed.edits();
        for (const [index, edit] of edits.entries()) {
          assert.ok(edit.start <= edit.end && edit.end <= original.length);
          assert.ok(index === 0 || (edits[index - 1]?.end ?? 0) < edit.start);
          assert.notEqual(original.slice(edit.start, edit.end), edit.text);
        }
        assert.equal(
          [...edits].reverse().reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), original),
          text,
        );
      }),
      { numRuns: RUNS },
    );
  });
});
