// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
// Hovers, symbols, links and defaults, by what stands in a source.
import assert from "node:assert/strict";
import { z } from "zod";
import { defaultsIn } from "../../../../server/analysis/features/defaults.ts";
import { describeProvider } from "../../../../server/analysis/features/describe.ts";
import { hoverAt } from "../../../../server/analysis/features/hover.ts";
import { linksIn } from "../../../../server/analysis/features/links.ts";
import { type PackSymbol, symbolsIn } from "../../../../server/analysis/features/symbols.ts";
import type { PackModel } from "../../../../server/analysis/model/pack.ts";
import type { ProviderPage } from "../../../../spec/provider-page.ts";
import { analyse, split } from "../../../support/analyse.ts";
import { eachCase } from "../../../support/json-cases.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const FILE = "/pack/pack.ts";
const user = (config: string): string => `${HEAD}pack.setUserAuthentication(${config});\n`;

function packs(source: string): { readonly models: readonly PackModel[]; readonly text: string } {
  const files = split(source);
  return { models: analyse(files).packsOf(FILE), text: files[FILE] ?? "" };
}

/** The hover at `|`, and the text that it is about. */
function hover(marked: string): readonly [about: string, text: string] | undefined {
  const offset = marked.indexOf("|");
  const { models, text } = packs(marked.slice(0, offset) + marked.slice(offset + 1));
  const hovered = hoverAt(models, FILE, offset);
  return hovered && [text.slice(hovered.span.start, hovered.span.end), hovered.text];
}

describe("hovers", () => {
  it("hovers say what this configuration requires", () => {
    const oauth2 = (field: string, more = ""): string | undefined =>
      hover(user(`{ type: coda.AuthenticationType.OAuth2, ${more}${field} }`))?.[1].split("\n")[0];
    const step = "postSetup: [{ type: coda.PostSetupType.SetEndpoint, get|Options: f }]";
    assert.equal(oauth2(step), "**getOptions** (required)");
    assert.equal(oauth2('token|Url: "https://acme.example/t"'), "**tokenUrl** (required)");
    assert.equal(oauth2('token|Url: "https://acme.example/t"', "useDynamicClientRegistration: true, "), "**tokenUrl** (optional)");
    const domain = user('{ type: coda.AuthenticationType.WebBasic, network|Domain: "acme.example" }');
    assert.equal(
      hover(`${domain}pack.addNetworkDomain("a.example");\npack.addNetworkDomain("b.example");\n`)?.[1].split("\n")[0],
      "**networkDomain** (required)",
    );
  });

  it("hovers do not mention users when the pack's author has the token", () => {
    const [, text = ""] = hover(`${HEAD}pack.setSystem|Authentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`) ?? [];
    assert.match(text, /^\*\*HeaderBearerToken\*\*: A token that goes into the Authorization header\.\n/);
  });

  it("the hover on authorizationUrl contains the pack's redirect address, or how to get one", () => {
    const config = user('{ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://acme.example/authorize" }');
    const textWith = (files: Readonly<Record<string, string>>): string =>
      hoverAt(analyse({ [FILE]: config, ...files }).packsOf(FILE), FILE, config.indexOf("authorizationUrl") + 3)?.text ?? "";
    assert.match(
      textWith({ "/pack/.coda-pack.json": '{"packId":77}' }),
      /`https:\/\/docs\.superhuman\.com\/packsAuth\/oauth2\/77` \(legacy: `https:\/\/coda\.io\/packsAuth\/oauth2\/77`, `https:\/\/coda\.io\/packsAuth\/oauth2`\)/,
    );
    assert.match(textWith({}), /Run packs create or packs link/);
    assert.match(
      textWith({
        "/pack/.coda-pack.json": '{"packId":77,"environmentPackIds":{"acme.coda.io":88},"options":{"apiEndpoint":"https://acme.coda.io"}}',
      }),
      /Pack 88 at acme\.coda\.io: its dialog Add OAuth credentials shows the redirect address\. Register/,
    );
    assert.match(textWith({ "/pack/.coda-pack.json": '{"packId":-1}' }), /Run packs create or packs link/);
  });

  const preview = z.strictObject({ config: z.string(), shows: z.string() });
  eachCase("test/server/analysis/features/cases/hovers-on-types.json", preview, ({ config, shows }) => {
    it(`the hover on ${config.replace("|", "")} contains the request`, () => {
      const [, text = ""] = hover(user(`{ ${config} }`)) ?? [];
      assert.ok(text.includes(shows), text);
    });
  });

  it("the hover on the setter contains the type, or whose account it is", () => {
    assert.equal(hover(`${HEAD}pack.setUser|Authentication({ type: coda.AuthenticationType.WebBasic });\n`)?.[0], "setUserAuthentication");
    assert.match(hover(`${HEAD}pack.setUser|Authentication({ type: chosen() });\n`)?.[1] ?? "", /each user/);
    assert.match(hover(`${HEAD}pack.setSystem|Authentication({ type: coda.AuthenticationType.Newest });\n`)?.[1] ?? "", /whole pack/);
  });

  it("hovers on the type and both URLs name the known provider and its sources, and no hover names an unknown one", () => {
    const oauth2 = (url: string, field: string): string =>
      hover(user(`{ type: coda.AuthenticationType.OAuth2, authorizationUrl: "${url}", tokenUrl: "" }`.replace(field, `${field}|`)))?.[1] ??
      "";
    for (const field of ["AuthenticationType.OA", "authoriza", "tokenU"]) {
      assert.match(oauth2("https://app.clickup.com/api", field), /\*\*ClickUp\*\*: .*From `.+`; compare with/, field);
      assert.doesNotMatch(oauth2("https://acme.example/authorize", field), /compare with/, field);
    }
  });

  it("a provider's description has the facts that its users notice, each with its source", () => {
    const page: ProviderPage = {
      id: "acme",
      title: "Acme",
      domains: ["acme.example"],
      sources: [
        { kind: "table", read: "npm arctic@3.7.0 dist/providers/acme.js", checked: "2026-11-20", licence: "MIT" },
        { kind: "documentation", read: "https://developers.acme.example/oauth tokens", checked: "2026-11-20" },
      ],
      sourcesOf: { "oauth2.authorizationUrl": [0], "oauth2.tokenLifetime": [0, 1], "oauth2.refresh.rotates": [1], verification: [1] },
      demands: {},
      accepts: {},
      disagreements: [],
      oauth2: {
        authorizationUrl: "https://acme.example/authorize",
        tokenUrl: "https://acme.example/token",
        tokenLifetime: 7200,
        refresh: { rotates: true },
      },
      verification: "Acme reviews each app.",
      keys: [],
      sameHouse: [],
    };
    assert.equal(
      describeProvider(page),
      "**Acme**: Access tokens last 2 hours. Refresh tokens rotate: each refresh ends the old one. Acme reviews each app\\. From `arctic@3.7.0`, `developers.acme.example`; compare with the provider's own documentation.",
    );
  });

  it("hovers in another file ignore the pack's code at the same offset", () => {
    const config = user('{ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] }');
    const main = `${config}pack.addMCPServer({ name: "Tools", endpointUrl: "https://example.com/mcp" });\nexport const url = (context) => \`{{key-\${context.invocationToken}}}\`;\n`;
    const other = "/pack/other.ts";
    const models = analyse({ [FILE]: `${main}import "./other";\n`, [other]: `${" ".repeat(main.length)}export {};\n` }).packsOf(FILE);
    for (const at of ["UserAuth", "Custom", "params:", '"key"', "MCPServer", "endpointUrl", "key-"]) {
      assert.ok(hoverAt(models, FILE, main.indexOf(at) + 1), at);
      assert.equal(hoverAt(models, other, main.indexOf(at) + 1), undefined, at);
    }
  });

  it("the hover is that of the surrounding pack when several share the file", () => {
    const shared = 'import * as coda from "@codahq/packs-sdk";\nexport const config = { type: coda.AuthenticationType.WebBasic };\n';
    const entry = `${HEAD}import { config } from "./shared";\n`;
    const analysis = analyse({
      "/pack/a.ts": entry,
      "/pack/b.ts": `${entry}pack.setUserAuthentication(config);\n`,
      "/pack/shared.ts": shared,
    });
    const models = analysis.packsOf("/pack/shared.ts");
    for (const packs of [models, models.toReversed()])
      assert.match(hoverAt(packs, "/pack/shared.ts", shared.indexOf("WebBasic"))?.text ?? "", /\*\*WebBasic\*\*/);
    assert.equal(models.length, 2);
  });

  it("hovers cover fields of an object that is spread into the configuration", () => {
    const [about, text = ""] =
      hover(
        `${HEAD}const base = { token|Url: "https://acme.example/t" };\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, ...base });\n`,
      ) ?? [];
    assert.deepEqual([about, text.split("\n")[0]], ["tokenUrl", "**tokenUrl** (required)"]);
  });

  it("hovers on fields contain purpose, default, whether required, and the request", () => {
    const oauth = "type: coda.AuthenticationType.OAuth2";
    assert.match(hover(user(`{ ${oauth}, scope|Delimiter: " " }`))?.[1] ?? "", /\(optional\)[\s\S]*Default: `" "`/);
    assert.match(hover(user(`{ ${oauth}, scope|Delimiter: " " }`))?.[1] ?? "", /One of `" "`, `","`, `";"`\.(?![\s\S]*carries)/);
    assert.match(hover(user(`{ ${oauth}, postSetup: [{ getOptions|Formula: f }] }`))?.[1] ?? "", /\*\*Deprecated\.\*\*/);
    assert.match(hover(user(`{ ${oauth}, tokenU|rl: "" }`))?.[1] ?? "", /\*\*tokenUrl\*\* \(required\)/);
    assert.match(hover(user(`{ ${oauth}, token|Prefix: "token" }`))?.[1] ?? "", /Authorization: token ••••/);
    assert.match(hover(user(`{ ${oauth}, postSetup: [{ descr|iption: "" }] }`))?.[1] ?? "", /selection dialog/);
    assert.match(
      hover(user("{ type: coda.AuthenticationType.WebBasic, uxConfig: { username|Only: true } }"))?.[1] ?? "",
      /Default: `false`/,
    );
    assert.equal(hover(user(`{ ${oauth}, no|such: 1 }`)), undefined);
    assert.equal(hover(user(`{ ${oauth}, tokenUrl: "ht|tps" }`)), undefined);
  });

  it("hovers on params and placeholders contain what the platform puts there", () => {
    const config = user(
      '{ type: coda.AuthenticationType.Custom, params: [{ name: "site", description: "Site" }, { name: "key", description: "Your API key" }] }',
    );
    const placeholder = `${config}export const url = (context) => \`{{ke|y-\${context.invocationToken}}}\`;\n`;
    assert.deepEqual(hover(placeholder)?.[0], "key");
    assert.match(hover(placeholder)?.[1] ?? "", /Your API key[\s\S]*never sees it/);
    assert.match(hover(config.replace('"key"', '"k|ey"'))?.[1] ?? "", /Your API key/);
    assert.equal(hover(placeholder.replace("{{ke|y", "{{ot|her")), undefined);
    const step = ', postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "k|ey" }] }';
    for (const other of [config.replace("Your API key", "k|ey"), config.replace("}] }", `}]${step}`)])
      assert.equal(hover(other), undefined, other);
    assert.equal(hover(config.replace("Custom", "MultiQueryParamToken").replace('"key"', '"k|ey"')), undefined);
  });

  it("text of the pack is escaped in hovers: no link, image or end of a block", () => {
    const param =
      'params: [{ name: "k|ey", description: "Take [yours](command:x) at https://x.example\\n\\n![](https://x.example/seen.png) <b> `c`" }]';
    const [, text = ""] = hover(user(`{ type: coda.AuthenticationType.Custom, ${param} }`)) ?? [];
    assert.ok(
      text.includes(
        "asks: Take \\[yours\\]\\(command\\:x\\) at https\\:\\/\\/x\\.example \\!\\[\\]\\(https\\:\\/\\/x\\.example\\/seen\\.png\\) \\<b\\> \\`c\\`\n\n",
      ),
      text,
    );
    const name = hover(user('{ type: coda.AuthenticationType.Custom, params: [{ name: "a`]|(b", description: "" }] }'))?.[1] ?? "";
    assert.ok(name.startsWith("**a\\`\\]\\(b**: ") && name.includes("``{{a`](b-<invocationToken>}}``"), name);
    const header = 'headerName: "X\\n```\\n[out](command:x)"';
    const block = hover(user(`{ type: coda.AuthenticationType.Custom|HeaderToken, ${header} }`))?.[1] ?? "";
    assert.match(block, /````http\nX\n```\n\[out\]\(command:x\): ••••\n````(?:\n|$)/);
  });
});

describe("symbols", () => {
  it("setters, formulas and sync tables are listed, each inside its span", () => {
    const source = `${user('{ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] }')}pack.addFormula({ name: "Hello", execute: async () => 1 });\nconst table = { name: "Rows" };\npack.addSyncTable(table);\n`;
    const { models, text } = packs(source);
    const flat = (symbols: readonly PackSymbol[]): readonly unknown[] =>
      symbols.map(({ name, detail, kind, span, nameSpan, children }) => {
        assert.ok(span.start <= nameSpan.start && nameSpan.end <= span.end, name);
        for (const child of children) assert.ok(span.start <= child.span.start && child.span.end <= span.end);
        return [name, detail, kind, text.slice(span.start, span.start + 12), flat(children)];
      });
    assert.deepEqual(flat(symbolsIn(models, FILE)), [
      ["User authentication", "Custom", "authentication", "pack.setUser", [["key", "Key", "param", 'name: "key",', []]]],
      ["Hello", "formula", "formula", "pack.addForm", []],
      ["Rows", "sync table", "syncTable", "pack.addSync", []],
    ]);
  });

  it("authentications of newPack({…}) are listed, and nothing in other files", () => {
    const { models } = packs(
      `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack({ defaultAuthentication: { type: coda.AuthenticationType.WebBasic } });\n`,
    );
    assert.deepEqual(
      symbolsIn(models, FILE).map(({ name, detail }) => [name, detail]),
      [["User authentication", "WebBasic"]],
    );
    assert.deepEqual(symbolsIn(models, "/pack/other.ts"), []);
  });
});

describe("links", () => {
  const targets = (config: string): readonly string[] => linksIn(packs(user(config)).models, FILE).map(({ target }) => target);

  it("instructions and known providers' documentation are linked, also through a constant", () => {
    assert.deepEqual(targets('{ type: coda.AuthenticationType.WebBasic, instructionsUrl: "https://example.com/help?a=b#c" }'), [
      "https://example.com/help?a=b#c",
    ]);
    const { models, text } = packs(
      user("{ type: coda.AuthenticationType.WebBasic, instructionsUrl: HELP }").replace(
        "pack.set",
        'const HELP = "https://example.com/help";\npack.set',
      ),
    );
    assert.deepEqual(
      linksIn(models, FILE).map(({ span }) => text.slice(span.start, span.end)),
      ["https://example.com/help"],
    );
    assert.match(
      targets(
        '{ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth", instructionsUrl: "https://example.com/help" }',
      ).join(),
      /^https:\/\/example\.com\/help,https:\/\/github\.com\/googleapis\//,
    );
  });

  it("a link is listed once when packs share the file, and only in its file", () => {
    const shared =
      'import * as coda from "@codahq/packs-sdk";\nexport const config = { type: coda.AuthenticationType.WebBasic, instructionsUrl: "https://example.com/help" };\n';
    const entry = `${HEAD}import { config } from "./shared";\npack.setUserAuthentication(config);\n`;
    const analysis = analyse({ "/pack/a.ts": entry, "/pack/b.ts": entry, "/pack/shared.ts": shared });
    const models = analysis.packsOf("/pack/shared.ts");
    assert.equal(models.length, 2);
    assert.equal(linksIn(models, "/pack/shared.ts").length, 1);
    assert.deepEqual(linksIn(models, "/pack/a.ts"), []);
  });

  it("addresses that no browser could open are not linked", () => {
    for (const url of [
      "",
      "example.com",
      "https://<your-site>/help",
      "https://{host}/",
      "https://[bad",
      "javascript:alert(1)",
      "command:x",
      "https://",
      "https://example.com:99999/",
    ])
      assert.deepEqual(targets(`{ type: coda.AuthenticationType.WebBasic, instructionsUrl: ${JSON.stringify(url)} }`), [], url);
    assert.deepEqual(targets('{ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://auth.example.com/authorize" }'), []);
    assert.deepEqual(targets("{ type: coda.AuthenticationType.WebBasic, instructionsUrl: `https://${host}/help` }"), []);
  });
});

describe("defaults in force", () => {
  const hints = (source: string) => {
    const { models, text } = packs(source);
    return defaultsIn(models, FILE).map(({ offset, label }) => [
      text
        .slice(0, offset)
        .split(/[\s{]+/)
        .at(-1),
      label,
    ]);
  };
  const FORMULA = 'pack.addFormula({ name: "A", execute: async () => 1 });\n';

  it("relevant defaults follow the type", () => {
    const oauth = 'type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://example.com/a", tokenUrl: "https://example.com/t"';
    const labels = (config: string) => hints(user(config)).map(([, label]) => label);
    assert.deepEqual(labels(`{ ${oauth} }`), [
      'tokenPrefix: "Bearer"',
      "credentialsLocation: TokenExchangeCredentialsLocation.Automatic",
      "defaultConnectionRequirement: ConnectionRequirement.Required",
    ]);
    assert.ok(labels(`{ ${oauth}, scopes: ["a", "b"] }`).includes('scopeDelimiter: " "'));
    assert.ok(!labels(`{ ${oauth}, scopes: ["a"], tokenQueryParam: "t" }`).some((label) => /scopeDelimiter|tokenPrefix/.test(label ?? "")));
    assert.ok(labels(`{ ${oauth}, useProofKeyForCodeExchange: true }`).includes('pkceChallengeMethod: "S256"'));
    assert.deepEqual(labels(`{ ...base, ${oauth} }`), []);
  });

  it("auth-spec 2.1 defaultConnectionRequirement, 5.1.1, 5.1.3: the inherited requirement follows a formula's name", () => {
    const basic = "type: coda.AuthenticationType.WebBasic";
    const last = (source: string) => hints(source).at(-1)?.[1];
    assert.equal(last(user(`{ ${basic} }`) + FORMULA), "connectionRequirement: Required");
    assert.equal(
      last(user(`{ ${basic}, defaultConnectionRequirement: coda.ConnectionRequirement.None }`) + FORMULA),
      "connectionRequirement: None",
    );
    const own = FORMULA.replace("execute", "connectionRequirement: coda.ConnectionRequirement.Optional, execute");
    assert.equal(hints(user(`{ ${basic}, defaultConnectionRequirement: coda.ConnectionRequirement.None }`) + own).length, 0);
    assert.equal(hints(HEAD + FORMULA).length, 0);
    assert.equal(hints(user(`{ ${basic}, defaultConnectionRequirement: chosen }`) + FORMULA).length, 0);
  });
});
