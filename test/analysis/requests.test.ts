// Requests are found in every shape that packs give them, with the host that the source tells; where it does not tell, none is made up.
import assert from "node:assert/strict";
import { requestsOf } from "../../server/analysis/requests/requests.ts";
import { analyse, type Files, split } from "../support/analyse.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const FORMULA = (body: string): string =>
  `${HEAD}pack.addFormula({ name: "A", description: "", parameters: [], resultType: coda.ValueType.String, execute: async function ([id], context) { ${body} } });\n`;

/** A helper that takes one object of options, and a formula that gives it. */
const OPTIONS = (parameter: string, statements: string, url: string, argument: string): string =>
  `${FORMULA(`return send(${argument});`)}async function send(${parameter}: any) { ${statements}return ${/\bctx\b/.test(parameter) ? "ctx" : "context"}.fetcher.fetch({ method: "GET", url: \`${url}\` }); }\n`;

/** What each request goes to: a host, a relative path, or `?`. */
function targets(files: Files): readonly string[] {
  const [pack] = analyse(files).packsOf("/pack/pack.ts");
  assert.ok(pack);
  return requestsOf(pack).all.flatMap(({ urls }) =>
    urls.length === 0 ? ["no url"] : urls.map((url) => url.host ?? (url.relative ? url.leadingText : "?")),
  );
}

const SHAPES: Readonly<Record<string, readonly [source: string, expected: readonly string[]]>> = {
  "a literal": [FORMULA(`return context.fetcher.fetch({ method: "GET", url: "https://API.example.com/x" });`), ["api.example.com"]],
  "a variable": [FORMULA(`let url = "https://a.example.com"; return context.fetcher.fetch({ method: "GET", url });`), ["a.example.com"]],
  "a template behind a constant": [
    `const BASE = "https://a.example.com";\n${FORMULA("return context.fetcher.fetch({ method: 'GET', url: `${BASE}/${id}` });")}`,
    ["a.example.com"],
  ],
  "a sum": [FORMULA(`return context.fetcher.fetch({ method: "GET", url: "https://" + "a.example.com" + "/" + id });`), ["a.example.com"]],
  "a query by the toolkit": [
    FORMULA(
      `let url = coda.withQueryParams("https://a.example.com", { q: id }); return context.fetcher.fetch({ method: "GET", url: url });`,
    ),
    ["a.example.com"],
  ],
  "joined by the toolkit": [
    FORMULA(`return context.fetcher.fetch({ method: "GET", url: coda.joinUrl("https://a.example.com", id) });`),
    ["a.example.com"],
  ],
  "one or the other": [
    FORMULA(`return context.fetcher.fetch({ method: "GET", url: id ? "https://a.example.com/" : "https://b.example.com/" });`),
    ["a.example.com", "b.example.com"],
  ],
  "the request in a variable": [
    FORMULA(`const request = { method: "GET", url: "https://a.example.com/" } as const; return context.fetcher.fetch(request);`),
    ["a.example.com"],
  ],
  "a destructured fetcher": [
    FORMULA(`const { fetcher } = context; return fetcher.fetch({ method: "GET", url: "https://a.example.com/" });`),
    ["a.example.com"],
  ],
  "a fetcher destructured in the parameter": [
    `${HEAD}export async function get({ fetcher: f }) { return f.fetch({ method: "GET", url: "https://a.example.com/" }); }\n`,
    ["a.example.com"],
  ],
  "destructured twice in the parameter": [
    `${HEAD}export async function get({ fetcher: { fetch } }) { return fetch({ method: "GET", url: "https://a.example.com/" }); }\n`,
    ["a.example.com"],
  ],
  "destructured twice, under another name": [
    FORMULA(`const { fetcher: { fetch: send }, timezone } = context; return send({ method: "GET", url: "https://a.example.com/" });`),
    ["a.example.com"],
  ],
  "destructured twice, of another object": [
    `${HEAD}export async function get({ client: { fetch } }) { return fetch({ method: "GET", url: "https://a.example.com/" }); }\n`,
    [],
  ],
  "the function under another name": [
    FORMULA(`const { fetch: send } = context.fetcher; return send({ method: "GET", url: "https://a.example.com/" });`),
    ["a.example.com"],
  ],
  this: [
    `${HEAD}export class Client { constructor(private context) {} get() { return this.context.fetcher.fetch({ method: "GET", url: "https://a.example.com/" }); } }\n`,
    ["a.example.com"],
  ],
  "a helper that receives the URL": [
    `${FORMULA(`await get(context, "https://a.example.com/x"); let other = "https://b.example.com"; return get(context, other);`)}async function get(context, url) { return context.fetcher.fetch({ method: "GET", url }); }\n`,
    ["a.example.com", "b.example.com"],
  ],
  "a helper of a helper, in other files": [
    `// @file: pack.ts\nimport { get } from "./api";\n${FORMULA(`return get(context, "/things");`)}// @file: api.ts\nimport * as http from "./http";\nconst BASE = "https://a.example.com";\nexport const get = async (context, path) => http.send(context, { method: "GET", url: BASE + path });\n// @file: http.ts\nexport async function send(ctx, request) { return ctx.fetcher.fetch(request); }\n`,
    ["a.example.com"],
  ],
  "a fetcher under other names": [
    `${HEAD}export const a = (http: coda.Fetcher) => http.fetch({ method: "GET", url: "https://a.example.com/" });\nexport const b = (context) => { const f = context.fetcher; return f.fetch({ method: "GET", url: "https://b.example.com/" }); };\nexport const c = (make) => make().fetcher.fetch({ method: "GET", url: "https://c.example.com/" });\nexport class D { constructor(private fetcher: coda.Fetcher) {} get() { return this.fetcher.fetch({ method: "GET", url: "https://d.example.com/" }); } }\n`,
    ["a.example.com", "b.example.com", "c.example.com", "d.example.com"],
  ],
  "a custom function called fetch": [
    `${FORMULA(`return api.fetch(context, "/things");`)}const api = { fetch: (context, path) => context.fetcher.fetch({ method: "GET", url: "https://a.example.com" + path }) };\n`,
    ["a.example.com"],
  ],
  "a relative path": [FORMULA("return context.fetcher.fetch({ method: 'GET', url: `/items/${id}` });"), ["/items/"]],
  "a host that is computed": [FORMULA("return context.fetcher.fetch({ method: 'GET', url: `https://${id}.example.com/` });"), ["?"]],
  "a host whose end is not seen": [FORMULA("return context.fetcher.fetch({ method: 'GET', url: `https://my.app${id}` });"), ["?"]],
  "a host before a path that is not known": [
    FORMULA("return context.fetcher.fetch({ method: 'GET', url: `https://example.com${id}` });"),
    ["example.com"],
  ],
  "a URL that changes": [
    FORMULA(`let url = "https://a.example.com"; if (id) url = id; return context.fetcher.fetch({ method: "GET", url });`),
    ["a.example.com", "?"],
  ],
  "a URL from a response": [FORMULA(`return context.fetcher.fetch({ method: "GET", url: context.sync.continuation.url });`), ["?"]],
  "a user in the URL": [
    FORMULA(`return context.fetcher.fetch({ method: "GET", url: "https://good.example.com@evil.com/" });`),
    ["evil.com"],
  ],
  "a URL that is only a link": [FORMULA(`return "https://a.example.com/" + id;`), []],
  "a helper that calls itself": [
    `${FORMULA(`return get(context, "https://a.example.com/");`)}async function get(context, url) { if (url) return get(context, url); return context.fetcher.fetch({ method: "GET", url }); }\n`,
    ["a.example.com", "?"],
  ],
  "a path in options that a helper destructures": [
    OPTIONS("{ context, path }", "", "https://api.acme.example${path}", '{ context, path: "/x" }'),
    ["api.acme.example"],
  ],
  "a host in options, under another name, with a default beside it": [
    OPTIONS('{ ctx, host: name, method = "GET" }', "", "https://${name}/x", '{ ctx: context, host: "a.example.com" }'),
    ["a.example.com"],
  ],
  "a path in options, which the helper tests": [
    OPTIONS("{ context, path }", 'if (path.startsWith("http")) return path; ', "${path}", '{ context, path: "/x" }'),
    ["?"],
  ],
  "a path in options, which the helper tests under another name": [
    OPTIONS("{ context, path }", 'const p = path; if (path.includes(":")) return p; ', "${p}", '{ context, path: "/x" }'),
    ["?"],
  ],
  "a host in options, to which the helper assigns": [
    OPTIONS("{ context, host }", "host = host.trim(); ", "https://${host}/x", '{ context, host: "a.example.com" }'),
    ["?"],
  ],
  "a host with a default, which a helper destructures": [
    OPTIONS('{ context, host = "a.example.com" }', "", "https://${host}/x", "{ context }"),
    ["?"],
  ],
  "a host of an inner function, with the name of an option": [
    OPTIONS("{ context, host, all }", "", "https://${all.map(({ host }) => host)[0]}/x", '{ context, host: "a.example.com", all: [] }'),
    ["?"],
  ],
};

describe("requests of a pack", () => {
  for (const [name, [source, expected]] of Object.entries(SHAPES))
    it(`the targets are found: ${name}`, () => {
      assert.deepEqual([...targets(split(source))].sort(), [...expected].sort());
    });
});
