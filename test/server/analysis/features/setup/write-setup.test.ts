// A proposal in sources of each form: what is edited, what stays, and what is refused.
import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import { transformSync } from "esbuild";
import { z } from "zod";
import { printable } from "../../../../../base/printable.ts";
import type { Proposal } from "../../../../../protocol/setup.ts";
import { EMPTY_PACK } from "../../../../../spec/toolkit.ts";
import type { Files } from "../../../../support/analyse.ts";
import { eachCase, pattern, readTable } from "../../../../support/json-cases.ts";
import { answered, proposal, written } from "../../../../support/proposals.ts";

const ENTRY = "/pack/pack.ts";
const BARE = proposal("HeaderBearerToken", { formula: null });
/** A proposal whose code is short. */
const SHORT: Proposal = ((): Proposal => {
  const { userRequest: _, ...rest } = BARE;
  return rest;
})();

const writtenTo = (files: string | Files, own: Proposal = SHORT): Record<string, string> => {
  const all = typeof files === "string" ? { [ENTRY]: files } : files;
  return Object.fromEntries(written(ENTRY, own, all).files.map(({ path, text }) => [path, text]));
};
const only = (text: string, own?: Proposal): string | undefined => writtenTo(text, own)[ENTRY];

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const DOMAIN = 'pack.addNetworkDomain("acme.example");\n';
const setter = (type: string, receiver = "pack", more = ""): string =>
  `${receiver}.setUserAuthentication({\n  type: ${type}.HeaderBearerToken,\n${more}});\n`;

describe("a proposal in a source", () => {
  it("a new pack gets the domain, the authentication and the formula", () => {
    assert.equal(
      only(EMPTY_PACK, proposal("HeaderBearerToken")),
      `${EMPTY_PACK}${DOMAIN}
${setter(
  "coda.AuthenticationType",
  "pack",
  `  getConnectionName: async function (context) {
    const response = await context.fetcher.fetch({
      method: "GET",
      url: "https://api.acme.example/me",
      headers: { Accept: "application/json" },
    });
    return response.body?.data?.name;
  },
`,
)}
pack.addFormula({
  name: "GetIssues",
  description: "Returns the issues.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async function ([], context) {
    const response = await context.fetcher.fetch({
      method: "GET",
      url: "https://api.acme.example/issues?state=open",
    });
    return typeof response.body === "string" ? response.body : JSON.stringify(response.body ?? null);
  },
});
`,
    );
  });

  it("the former configuration is replaced whole, in its place, and a declared domain is not repeated", () => {
    assert.equal(
      only(
        `${HEAD}pack.addNetworkDomain("acme.example"); // The API.\n\n// Signs in.\npack.setUserAuthentication({\n  type: coda.AuthenticationType.CustomHeaderToken,\n  headerName: "X", // old\n});\n`,
      ),
      `${HEAD}pack.addNetworkDomain("acme.example"); // The API.\n\n// Signs in.\n${setter("coda.AuthenticationType")}`,
    );
  });

  it("the other scope's authentication stays, and keeps its domain once there are two", () => {
    assert.equal(
      only(
        `${HEAD}pack.addNetworkDomain("other.example"); // Theirs.\npack.setSystemAuthentication({ type: coda.AuthenticationType.WebBasic });\n`,
      ),
      `${HEAD}pack.addNetworkDomain("other.example"); // Theirs.\n${DOMAIN}\n${setter("coda.AuthenticationType", "pack", '  networkDomain: "acme.example",\n')}pack.setSystemAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "other.example" });\n`,
    );
  });

  it("names of the namespace, of imports and of the pack are those of the file", () => {
    assert.equal(
      only('import * as sdk from "@codahq/packs-sdk";\nconst p = sdk.newPack();\nexport { p as pack };\n'),
      `import * as sdk from "@codahq/packs-sdk";\nconst p = sdk.newPack();\np.${DOMAIN.slice("pack.".length)}\n${setter("sdk.AuthenticationType", "p")}export { p as pack };\n`,
    );
    const named = only('import { newPack, AuthenticationType as Types } from "@codahq/packs-sdk";\nexport const pack = newPack();\n');
    assert.ok(named?.startsWith('import { newPack, AuthenticationType as Types } from "@codahq/packs-sdk";\n'));
    assert.ok(named?.includes("type: Types.HeaderBearerToken,"));
    const missing = only(
      'import { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\n',
      proposal("HeaderBearerToken", { formula: { ...withParameter("a") } }),
    );
    assert.match(missing ?? "", /^import \{ newPack, AuthenticationType, makeParameter, ParameterType, ValueType \} from/);
    assert.match(
      only('const coda = require("@codahq/packs-sdk");\nmodule.exports.pack = coda.newPack();\n') ?? "",
      /\nmodule\.exports\.pack\.setUserAuthentication\(\{\n {2}type: coda\./,
    );
  });

  it("a pack of another file than the entry is set up where it is built, and the former configuration where it stands", () => {
    const base = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
    const entry = 'import { pack } from "./base";\nimport "./auth";\nexport { pack };\n';
    const auth = 'import { pack } from "./base";\npack.setUserAuthentication({ type: "x" } as any);\n';
    assert.deepEqual(writtenTo({ [ENTRY]: 'import { pack } from "./base";\nexport { pack };\n', "/pack/base.ts": base }), {
      "/pack/base.ts": `${base}${DOMAIN}\n${setter("coda.AuthenticationType")}`,
    });
    assert.deepEqual(writtenTo({ [ENTRY]: entry, "/pack/base.ts": base, "/pack/auth.ts": auth }), {
      "/pack/base.ts": `${base}${DOMAIN}`,
      "/pack/auth.ts": `import { AuthenticationType } from "@codahq/packs-sdk";\nimport { pack } from "./base";\n${setter("AuthenticationType")}`,
    });
  });

  it("line ends, tabs and a file on one line are kept", () => {
    const windows = only(`${HEAD}pack.addFormula({\n\tname: "A" } as any);\n`.replaceAll("\n", "\r\n"), proposal("HeaderBearerToken"));
    assert.equal(windows?.replaceAll("\r\n", "").includes("\n"), false);
    assert.match(windows ?? "", /\r\n\tgetConnectionName: .*\r\n\t\tconst response = .*\r\n\t\t\tmethod:/);
    assert.equal(
      only(
        'import * as coda from "@codahq/packs-sdk"; export const pack = coda.newPack(); pack.addNetworkDomain("a.example"); pack.setUserAuthentication({ type: coda.AuthenticationType.None }); done();',
      ),
      `import * as coda from "@codahq/packs-sdk"; export const pack = coda.newPack(); pack.addNetworkDomain("a.example");\n${DOMAIN}${setter(
        "coda.AuthenticationType",
        "pack",
        '  networkDomain: "acme.example",\n',
      ).trimEnd()} done();`,
    );
  });

  it("a formula of a name that the pack has gets a number", () => {
    const answer = written(ENTRY, proposal("HeaderBearerToken"), {
      [ENTRY]: `${HEAD}pack.addFormula({ name: "GETISSUES" } as any);\npack.addFormula({ name: "GetIssues2" } as any);\n`,
    });
    assert.equal(answer.formulaName, "GetIssues3");
    assert.match(answer.files[0]?.text ?? "", /name: "GetIssues3"/);
  });

  it("findings that the source had before are not reported", () => {
    const source = `${HEAD}pack.addNetworkDomain("https://a.example/");\n`;
    assert.deepEqual(
      written(ENTRY, SHORT, { [ENTRY]: source })
        .findings.filter(({ severity }) => severity !== "information")
        .map(({ rule }) => rule),
      [],
    );
    assert.deepEqual(
      written(ENTRY, { ...SHORT, fields: [{ name: "headerName", value: "X", origin: "x" }] }, { [ENTRY]: EMPTY_PACK })
        .findings.filter(({ severity }) => severity !== "information")
        .map(({ rule, line }) => [rule, line]),
      [["field-not-for-type", 7]],
    );
  });

  const unwritableCase = z.strictObject({ title: z.string(), source: z.string(), problem: pattern });
  eachCase("test/server/analysis/features/setup/cases/unwritable-sources.json", unwritableCase, ({ title, source, problem }) => {
    it(`${title}: nothing is written, and the reason is a sentence`, () => {
      const answer = answered(ENTRY, SHORT, { [ENTRY]: source });
      assert.ok("problem" in answer, JSON.stringify(answer));
      assert.match(answer.problem, problem);
    });
  });
});

const withParameter = (name: string): NonNullable<Proposal["formula"]> => ({
  name: "Send",
  description: "Sends.",
  parameters: [{ name, description: "A value." }],
  request: {
    method: "POST",
    url: ["https://api.acme.example/", { parameter: name }],
    headers: [{ name: "content-type", value: ["application/json"] }],
    body: ['{"text":"Hi ', { parameter: name }, '"}'],
    origin: "the cURL command",
  },
});

/** The request that the only formula or getConnectionName sends. */
async function sent(own: Proposal, parameters: readonly string[] = []): Promise<Record<string, unknown>> {
  const source = only(EMPTY_PACK, own) ?? "";
  const { code } = transformSync(source, { loader: "ts", format: "cjs" });
  let request: Record<string, unknown> = {};
  const defined: { formula?: { execute(parameters: readonly string[], context: unknown): Promise<unknown> } } = {};
  const pack = {
    addNetworkDomain() {},
    setUserAuthentication() {},
    addFormula(formula: NonNullable<typeof defined.formula>) {
      defined.formula = formula;
    },
  };
  const toolkit = { newPack: () => pack, makeParameter: () => {}, AuthenticationType: {}, ValueType: {}, ParameterType: {} };
  const global = { require: () => toolkit, module: { exports: {} }, evil: () => assert.fail("a text was run as code") };
  runInNewContext(code, global);
  await defined.formula?.execute(parameters, {
    invocationToken: "TOKEN",
    endpoint: "https://me.example",
    fetcher: {
      async fetch(options: Record<string, unknown>) {
        request = options;
        return { body: "" };
      },
    },
  });
  return JSON.parse(JSON.stringify(request)) as Record<string, unknown>;
}

const HOSTILE = readTable("test/server/analysis/features/setup/cases/hostile-texts.json", z.array(z.string()));

describe("texts of evidence", () => {
  const FORMULA = { name: "Send", description: "Sends.", parameters: [] };

  for (const text of HOSTILE)
    it(`${printable(JSON.stringify(text))} stays text in every place`, async () => {
      const own = proposal("HeaderBearerToken", {
        typeOrigin: text,
        fields: [{ name: "instructionsUrl", value: text, origin: text }],
        domains: [{ domain: "acme.example", origin: text }],
        formula: {
          ...FORMULA,
          description: text,
          request: {
            method: "POST",
            url: ["https://api.acme.example/", text, { credential: text }, text],
            headers: [
              { name: text, value: [text] },
              { name: "x", value: [text, { credential: "key" }, text] },
            ],
            body: [`{"${"a"}":`, JSON.stringify(text), ',"b":"', { credential: "key" }, '"}'],
            origin: text,
          },
        },
      });
      const placeholder = (name: string): string => `{{${name}-TOKEN}}`;
      const request = await sent(own);
      assert.equal(request.url, `https://api.acme.example/${text}${placeholder(text)}${text}`);
      assert.deepEqual(request.headers, { [text]: text, x: `${text}${placeholder("key")}${text}` });
      assert.deepEqual(JSON.parse(String(request.body)), { a: text, b: placeholder("key") });
      const source = only(EMPTY_PACK, own) ?? "";
      assert.doesNotMatch(source, /[\r\u2028\u2029\u202e\u200b]/);
    });

  it("parameters are encoded in URLs and forms, and put into JSON as texts; their variables have names of their own", async () => {
    const value = 'a"b&c/d';
    for (const name of ["text", "class", "context", "response", "2nd value", "a-b"]) {
      const request = await sent(proposal("HeaderBearerToken", { formula: withParameter(name) }), [value]);
      assert.equal(request.url, `https://api.acme.example/${encodeURIComponent(value)}`);
      assert.deepEqual(JSON.parse(String(request.body)), { text: `Hi ${value}` });
    }
    const form = await sent(
      proposal("HeaderBearerToken", {
        formula: {
          ...withParameter("q"),
          request: {
            method: "POST",
            url: ["https://api.acme.example/"],
            headers: [{ name: "Content-Type", value: ["application/x-www-form-urlencoded"] }],
            body: ["q=", { parameter: "q" }],
            origin: "x",
          },
        },
      }),
      [value],
    );
    assert.equal(form.body, `q=${encodeURIComponent(value)}`);
  });

  it("a body keeps its meaning: numbers, repeated names, __proto__ and what is no JSON", async () => {
    for (const body of [
      '{ "a": 12345678901234567890 }',
      '{"a":1.0}',
      '{"a":1,"a":2}',
      '{"b":1,"1":2}',
      '{"__proto__":{"x":1}}',
      '{"a":[1,{"b":null}],"c":"\\u00e9"}',
      "a=1&b=2",
      "{",
      '"text"',
      "",
    ]) {
      const request = await sent(
        proposal("HeaderBearerToken", {
          formula: { ...FORMULA, request: { method: "POST", url: ["https://api.acme.example/"], headers: [], body: [body], origin: "x" } },
        }),
      );
      const plain = (text: string): string => text.replaceAll(" ", "").replace("\\u00e9", "é");
      assert.equal(plain(String(request.body)), plain(body));
    }
  });

  it("headers of one name become one, whatever their case", async () => {
    const request = await sent(
      proposal("HeaderBearerToken", {
        formula: {
          ...FORMULA,
          request: {
            method: "GET",
            url: ["https://api.acme.example/"],
            headers: [
              { name: "Accept", value: ["a/b"] },
              { name: "accept", value: ["c/d"] },
              { name: "Cookie", value: ["a=1"] },
              { name: "Cookie", value: ["b=2"] },
            ],
            origin: "x",
          },
        },
      }),
    );
    assert.deepEqual(request.headers, { Accept: "a/b, c/d", Cookie: "a=1; b=2" });
  });
});

describe("an MCP server of a proposal", () => {
  const mcpServer = { name: "Acme", endpointUrl: "https://mcp.acme.example/mcp", origin: "the address that you entered" };
  const withServer: Proposal = { ...SHORT, mcpServer };
  const call = (name: string): string => `pack.addMCPServer({\n  name: "${name}",\n  endpointUrl: "https://mcp.acme.example/mcp",\n});\n`;

  it("the server is declared after the authentication", () => {
    assert.equal(only(EMPTY_PACK, withServer), `${EMPTY_PACK}${DOMAIN}\n${setter("coda.AuthenticationType")}\n${call("Acme")}`);
  });

  it("a server with the same address is not declared twice, and a name is taken once", () => {
    assert.equal((only(`${HEAD}${call("Acme")}`, withServer) ?? "").split("addMCPServer").length, 2);
    assert.match(only(`${HEAD}${call("Acme").replace('/mcp"', '/other"')}`, withServer) ?? "", /name: "Acme2"/);
  });
});
