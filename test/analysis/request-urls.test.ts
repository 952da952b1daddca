// URLs that are put together in several statements: assigned again, chosen by a condition, made by `new URL`. What a request goes to is
// what may stand there when it is sent, and nothing that stood there before or comes to stand there later.
import assert from "node:assert/strict";
import { requestsOf } from "../../server/analysis/requests/requests.ts";
import { analyse, type Files, split } from "../support/analyse.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const OTHER = "https://other.example/";
const API = "https://api.example.com/";

/** In a formula, whose first parameters are `id` and `all`. */
const formula = (body: string, more = ""): string =>
  `${HEAD}pack.addFormula({ name: "A", description: "", parameters: [], resultType: coda.ValueType.String, execute: async function ([id, all], context) { ${body} } });\n${more}`;

/** What each request goes to: a host, a relative path, or `?`; and what is said of hosts that are not declared. */
function look(files: Files): { readonly targets: readonly string[]; readonly undeclared: readonly string[] } {
  const entry = Object.keys(files)[0] ?? "";
  const analysis = analyse(files);
  const [pack] = analysis.packsOf(entry);
  assert.ok(pack);
  const targets = requestsOf(pack).all.flatMap(({ urls }) => urls.map((url) => url.host ?? (url.relative ? url.leadingText : "?")));
  const undeclared = Object.keys(files).flatMap((file) =>
    analysis.diagnostics(file).flatMap(({ rule, message }) => (rule === "fetch-host-undeclared" ? message : [])),
  );
  return { targets, undeclared };
}

type Case = readonly [source: string, targets: readonly string[]];

const SEND = `return context.fetcher.fetch({ method: "GET", url });`;

const CASES: Readonly<Record<string, Case>> = {
  "with a query by the toolkit": [formula(`let url = "${OTHER}"; url = coda.withQueryParams(url, { q: id }); ${SEND}`), ["other.example"]],
  "with a query that is added": [formula(`let url = "${OTHER}x"; url += "?q=" + id; ${SEND}`), ["other.example"]],
  "with queries that are added by conditions": [
    formula(`let url = "${OTHER}x?"; ${"if (id) url += `&q=${id}`; ".repeat(12)}${SEND}`),
    ["other.example"],
  ],
  "by its own text": [formula(`let url = "${OTHER}"; url = \`\${url}items/\${id}\`; url = url + "?all"; ${SEND}`), ["other.example"]],
  "one or the other": [formula(`let url = "${API}"; if (id) { url = "${OTHER}"; } ${SEND}`), ["api.example.com", "other.example"]],
  "declared first, assigned in branches": [
    formula(`let url; if (id) url = "${OTHER}"; else url = "${API}"; ${SEND}`),
    ["api.example.com", "other.example"],
  ],
  "by a switch": [
    formula(`let url: string; switch (id) { case "a": url = "${OTHER}"; break; default: url = "${API}"; } ${SEND}`),
    ["api.example.com", "other.example"],
  ],
  "by pages": [
    formula(
      `let url = "${OTHER}"; while (url) { const page = await context.fetcher.fetch({ method: "GET", url }); url = page.body.next; } return "";`,
    ),
    ["other.example", "?"],
  ],
  "in a function inside": [
    formula(
      `let url = "${API}"; url = "${OTHER}" + id; return Promise.all(all.map((one) => context.fetcher.fetch({ method: "GET", url: url + one })));`,
    ),
    ["other.example"],
  ],
  "a host by a condition": [
    formula(
      "const host = id ? 'other.example' : 'api.example.com'; return context.fetcher.fetch({ method: 'GET', url: `https://${host}/x` });",
    ),
    ["api.example.com", "other.example"],
  ],
  "a URL by a condition, in a constant": [formula(`const url = id ? "${OTHER}" : "${API}"; ${SEND}`), ["api.example.com", "other.example"]],
  "a base by a condition, with a query by the toolkit": [
    formula(`const base = id ? "${OTHER}" : "${API}"; const url = coda.withQueryParams(coda.joinUrl(base, "x"), { id }); ${SEND}`),
    ["api.example.com", "other.example"],
  ],
  "a function that returns one or the other": [
    formula(`const url = base(id) + "x"; ${SEND}`, `function base(id) { if (id) return "${OTHER}"; return "${API}"; }\n`),
    ["api.example.com", "other.example"],
  ],
  "a parameter with a query": [
    formula(
      `return get(context, "${OTHER}");`,
      `async function get(context, url) { url = coda.withQueryParams(url, { a: 1 }); ${SEND} }\n`,
    ),
    ["other.example"],
  ],
  "a parameter with a query by a condition": [
    formula(`return get(context, "${OTHER}", id);`, `async function get(context, url, q) { if (q) url += "?q=" + q; ${SEND} }\n`),
    ["other.example"],
  ],
  "a parameter that is completed": [
    formula(
      `return get(context, "/things", id);`,
      `async function get(context, url, whole) { if (!whole) url = "${OTHER}" + url; ${SEND} }\n`,
    ),
    ["?", "other.example"],
  ],
  "by new URL": [
    formula(
      `const url = new URL("${OTHER}x"); url.searchParams.set("q", id); return context.fetcher.fetch({ method: "GET", url: url.toString() });`,
    ),
    ["other.example"],
  ],
  "by new URL with a base": [
    formula(`const url = new URL("/x", "${OTHER}"); return context.fetcher.fetch({ method: "GET", url: url.href });`),
    ["other.example"],
  ],
  "by new URL with another path": [
    formula(
      `const url = new URL("${OTHER}"); url.pathname = "/" + id; url.search = ""; return context.fetcher.fetch({ method: "GET", url: String(url) });`,
    ),
    ["other.example"],
  ],
  "by a property of new URL": [
    formula(
      `const { host } = new URL("${API}"); const base = new URL("${OTHER}x").origin; return context.fetcher.fetch({ method: "GET", url: base + "/y" });`,
    ),
    ["other.example"],
  ],
  "by new URL with another host": [
    formula(`const url = new URL("${OTHER}"); url.hostname = id; return context.fetcher.fetch({ method: "GET", url: url.href });`),
    ["?"],
  ],
  "by new URL of an unknown value": [formula(`return context.fetcher.fetch({ method: "GET", url: new URL(id, "${OTHER}").href });`), ["?"]],
  "by new URL of a parameter": [
    formula(
      `return get(context, "/x");`,
      `async function get(context, path) { return context.fetcher.fetch({ method: "GET", url: new URL(path, "${OTHER}").href }); }\n`,
    ),
    ["other.example"],
  ],
  "a custom class called URL": [
    formula(
      `const url = new URL("${OTHER}"); return context.fetcher.fetch({ method: "GET", url: url.href });`,
      `class URL { href = "${API}"; constructor(private path: string) {} }\n`,
    ),
    ["?"],
  ],
  "a constant of the file that is assigned while it loads": [
    `let base = "${API}";\nif (globalThis.test) base = "${OTHER}";\n${formula(`return context.fetcher.fetch({ method: "GET", url: base + "x" });`)}`,
    ["api.example.com", "other.example"],
  ],
  "a later assignment is ignored": [
    formula(`let url = "${API}"; const answer = await context.fetcher.fetch({ method: "GET", url }); url = "${OTHER}"; return url;`),
    ["api.example.com"],
  ],
  "an earlier value is ignored": [formula(`let url = "${OTHER}"; url = "${API}"; ${SEND}`), ["api.example.com"]],
  "a branch that is left is ignored": [
    formula(`let url = "${API}"; if (id) { url = "${OTHER}"; return url; } ${SEND}`),
    ["api.example.com"],
  ],
  "a value that both branches replace is ignored": [
    formula(`let url = "${OTHER}"; if (id) { url = "${API}"; } else { url = "${API}x"; } ${SEND}`),
    ["api.example.com", "api.example.com"],
  ],
  "a value that all of many branches replace is ignored": [
    formula(
      `let url = "${OTHER}"; if (id === 1) url = "${API}"; else if (id === 2) { url = "${API}x"; } else if (id === 3) throw new Error(); else url = "${API}y"; ${SEND}`,
    ),
    ["api.example.com", "api.example.com", "api.example.com"],
  ],
  "a value that a switch replaces is ignored": [
    formula(
      `let url = "${OTHER}"; switch (id) { case 1: case 2: url = "${API}"; break; case 3: return ""; default: url = "${API}x"; } ${SEND}`,
    ),
    ["api.example.com", "api.example.com"],
  ],
  "a switch without a default may leave it": [
    formula(`let url = "${OTHER}"; switch (id) { case 1: url = "${API}"; break; case 2: url = "${API}x"; } ${SEND}`),
    ["api.example.com", "api.example.com", "other.example"],
  ],
  "nothing that stands there until there is a text": [
    formula(`let base = ""; if (id) base = "${OTHER}"; return context.fetcher.fetch({ method: "GET", url: base + "/items" });`),
    ["other.example"],
  ],
  "a path that is completed where it is one": [
    formula(`let url = "/items"; if (!url.startsWith("http")) url = "${OTHER}" + url; ${SEND}`),
    ["?", "other.example"],
  ],
  "a name of the loop's own begins anew": [
    formula(
      `for (const one of all) { let url = "${API}"; await context.fetcher.fetch({ method: "GET", url }); url = "${OTHER}"; } return "";`,
    ),
    ["api.example.com"],
  ],
  "another name in another function is ignored": [
    formula(`let url = "${API}"; ${SEND}`, `export function link() { let url = "x"; url = "${OTHER}"; return url; }\n`),
    ["api.example.com"],
  ],
  "what the call before left": [
    `let url = "${API}";\n${formula(`const answer = await context.fetcher.fetch({ method: "GET", url }); url = "${OTHER}"; return answer.body;`)}`,
    ["api.example.com", "other.example"],
  ],
  "a part of one of several objects": [
    `const SITES: any = { a: { url: "${API}" }, b: { url: "${OTHER}" } };\n${formula("const { url } = SITES[id]; const site = SITES[id]; await context.fetcher.fetch({ method: 'GET', url: SITES[id].url }); return context.fetcher.fetch({ method: 'GET', url: site.url + '/x' });")}`,
    ["api.example.com", "other.example", "api.example.com", "other.example"],
  ],
  "a part of one of two objects": [
    formula(`const site = id ? { url: "${API}" } : { url: "${OTHER}" }; return context.fetcher.fetch({ method: "GET", url: site.url });`),
    ["api.example.com", "other.example"],
  ],
  "a part that one of the objects does not have": [
    formula(
      `const site: any = id ? { url: "${API}" } : { host: "${OTHER}" }; return context.fetcher.fetch({ method: "GET", url: site.url });`,
    ),
    ["api.example.com", "?"],
  ],
  "a function with a switch": [
    formula(
      `const url = base(id) + "x"; ${SEND}`,
      `function base(id) { switch (id) { case "a": return "${OTHER}"; case "b": default: { return "${API}"; } } }\n`,
    ),
    ["other.example", "api.example.com"],
  ],
  "a function with a switch that may be left": [
    formula(
      `const url = base(id) + "x"; ${SEND}`,
      `function base(id) { switch (id) { case "a": return "${OTHER}"; case "b": if (id) break; default: return "${API}"; } }\n`,
    ),
    ["?"],
  ],
  "a function with a switch that not all go into": [
    formula(`const url = base(id) + "x"; ${SEND}`, `function base(id) { switch (id) { case "a": return "${OTHER}"; } }\n`),
    ["?"],
  ],
  destructured: [formula(`let url = "${API}"; [url] = all; ${SEND}`), ["?"]],
  "in a request that is written to": [
    formula(
      `const request: any = { method: "GET", url: "${OTHER}" }; request.url = coda.withQueryParams(request.url, { id }); return context.fetcher.fetch(request);`,
    ),
    ["other.example"],
  ],
  "by a helper's result": [
    formula(
      `return context.fetcher.fetch({ method: "GET", url: urlOf("items", id) });`,
      `const urlOf = (path, query, base = "${OTHER}") => coda.withQueryParams(base + path, { query });\n`,
    ),
    ["other.example"],
  ],
  "by a helper that names what it makes": [
    formula(
      `return context.fetcher.fetch({ method: "GET", url: urlOf("/items/" + id, { all }) });`,
      `const HOST = "other.example";\nfunction urlOf(path, query?) { const url = \`https://\${HOST}\${path}\`; return coda.withQueryParams(url, query || {}); }\n`,
    ),
    ["other.example"],
  ],
  "by a helper that names each step": [
    formula(
      `return context.fetcher.fetch({ method: "GET", url: urlOf("/items", "other.example") });`,
      "function urlOf(path, host) { const base = `https://${host}`; let url = base + path; return url; }\n",
    ),
    ["other.example"],
  ],
  "by a helper that changes what it names": [
    formula(
      `return context.fetcher.fetch({ method: "GET", url: urlOf("/items", id) });`,
      `function urlOf(path, other) { let url = "https://other.example" + path; if (other) url = other; return url; }\n`,
    ),
    ["?", "?"],
  ],
  "by a helper that takes a query or none, behind a condition": [
    formula(
      `return context.fetcher.fetch({ method: "GET", url: urlOf("/items", id) });`,
      'function urlOf(path, id) { return `https://other.example${path}${id ? "/" + id : ""}`; }\n',
    ),
    ["other.example"],
  ],
  "by a helper that writes into what it has made": [
    formula(
      `return context.fetcher.fetch(requestOf("https://other.example/me"));`,
      `const asked = (url): any => ({ method: "GET", url });\nfunction requestOf(url) { const request = asked(url); request.url = "${API}"; return request; }\n`,
    ),
    [],
  ],
  "by a helper whose name hides its parameter": [
    formula(
      `return context.fetcher.fetch({ method: "GET", url: urlOf("other.example") });`,
      "function urlOf(host) { { const host = `api.${name()}`; return `https://${host}/`; } }\n",
    ),
    ["?"],
  ],
  "by a helper that completes some": [
    formula(
      `return context.fetcher.fetch({ method: "GET", url: urlOf("/items", false) });`,
      `const urlOf = (path, isWhole) => (isWhole ? "" : "${API}") + path;\n`,
    ),
    ["api.example.com"],
  ],
  "by a method of a new object": [
    formula(
      `const client = new Client(); return client.get(context, "${OTHER}");`,
      `class Client { async get(context, url) { return context.fetcher.fetch({ method: "GET", url }); } }\n`,
    ),
    ["other.example"],
  ],
  "across files": [
    `// @file: pack.ts\nimport { get, BASE } from "./api";\n${formula(`let path = BASE; path = path + "things"; return get(context, path);`)}// @file: api.ts\nexport const BASE = "${OTHER}";\nexport async function get(ctx, url) { url = \`\${url}?limit=10\`; return ctx.fetcher.fetch({ method: "GET", url }); }\n`,
    ["other.example"],
  ],
  "of one of two requests": [
    formula(`return context.fetcher.fetch(id ? { method: "GET", url: "${API}" } : { method: "POST", url: "${OTHER}", body: "" });`),
    ["api.example.com", "other.example"],
  ],
  "of a request assigned in a branch, in JavaScript across files": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { get } = require("./api");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("example.com");\npack.addFormula({ name: "A", description: "", parameters: [], resultType: "string", execute: async function (args, context) { return get(context, args[0]); } });\n// @file: api.js\nexports.get = (context, id) => { let request = { method: "GET", url: "${API}" }; if (id) request = { method: "GET", url: "${OTHER}" + id }; return context.fetcher.fetch(request); };\n`,
    ["api.example.com", "other.example"],
  ],
  "with a replaced placeholder": [formula(`const url = "${OTHER}{id}/me".replace("{id}", id); ${SEND}`), ["other.example"]],
  "with several replaced placeholders, of a constant": [
    formula(
      `const url = PATHS.me.replace("{id}", id).replaceAll("{all}", String(all)); ${SEND}`,
      `const PATHS = { me: "${OTHER}{id}/{all}" };\n`,
    ),
    ["other.example"],
  ],
  "with a host that replaces a placeholder": [
    formula(`const url = "https://{site}.example/{site}".replaceAll("{site}", "other"); ${SEND}`),
    ["other.example"],
  ],
  "with a host that is not known in the place of a placeholder": [
    formula(`const url = "https://{site}.example/".replace("{site}", id); ${SEND}`),
    ["?"],
  ],
  "with one of two placeholders replaced": [
    formula(`const url = "https://{site}.example/{site}".replace("{site}", "other"); ${SEND}`),
    ["other.example"],
  ],
  "with another scheme": [formula(`const url = "http://other.example/me".replace("http://", "https://"); ${SEND}`), ["other.example"]],
  "with nothing to replace": [formula(`const url = "${OTHER}me".replace("{id}", id); ${SEND}`), ["other.example"]],
  "with a part replaced by a pattern": [formula(`const url = "https://x.example/".replace(/x/, "other"); ${SEND}`), ["?"]],
  "with what a name replaces, of which nothing is known": [formula(`const url = "https://x.example/".replace(all, id); ${SEND}`), ["?"]],
  "of a caller's, with a placeholder replaced by the helper": [
    formula(
      `return get(context, "https://{site}.example/me", id);`,
      `async function get(context, path, site) { return context.fetcher.fetch({ method: "GET", url: path.replace("{site}", site) }); }\n`,
    ),
    ["?"],
  ],
  "with a placeholder replaced, in JavaScript": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("example.com");\npack.addFormula({ name: "A", description: "", parameters: [], resultType: "string", execute: async function (args, context) { var path = "/{id}/me"; return context.fetcher.fetch({ method: "GET", url: "https://other.example" + path.replace("{id}", args[0]) }); } });\n`,
    ["other.example"],
  ],
  "a constant of another file that is assigned again there": [
    `// @file: pack.ts\nimport { BASE } from "./api";\n${formula(`return context.fetcher.fetch({ method: "GET", url: BASE + "things" });`)}// @file: api.ts\nexport let BASE = "${API}";\nBASE = "${OTHER}";\n`,
    ["other.example"],
  ],
  "in JavaScript": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("example.com");\npack.addFormula({ name: "A", description: "", parameters: [], resultType: "string", execute: async function (args, context) { var url = "${OTHER}"; url = url + "x"; url = coda.withQueryParams(url, { a: args[0] }); return context.fetcher.fetch({ method: "GET", url: url }); } });\n`,
    ["other.example"],
  ],
};

describe("URLs of requests", () => {
  for (const [name, [source, targets]] of Object.entries(CASES))
    it(`the targets are found: ${name}`, () => {
      const result = look(split(source));
      assert.deepEqual([...result.targets].sort(), [...targets].sort());
      assert.equal(result.undeclared.length > 0, targets.includes("other.example"), result.undeclared.join());
    });
});

/** The URL's expression, of a parameter `id` that may be anything; the host that it goes to; whether that is said to be undeclared. */
const BEFORE_A_PATH: Readonly<Record<string, readonly [source: string, target: string, isUndeclared: boolean]>> = {
  "in a text": [
    formula("const url = `https://api.acme.com${id}`; return context.fetcher.fetch({ method: 'GET', url });"),
    "api.acme.com",
    true,
  ],
  "by a helper with a condition": [
    formula(
      `const url = apiUrl("/me", id); ${SEND}`,
      "function apiUrl(path: string, params?: any): string { const url = `https://api.acme.com${path}`; return params ? coda.withQueryParams(url, params) : url; }\n",
    ),
    "api.acme.com",
    true,
  ],
  "of an answer, with a port": [formula(`const url = "https://acme.org:8443" + all.next; ${SEND}`), "acme.org", true],
  "on a host for everybody": [
    formula("const url = `https://our.vercel.app${id}`; return context.fetcher.fetch({ method: 'GET', url });"),
    "our.vercel.app",
    true,
  ],
  "under a domain that is declared": [formula(`const url = "https://api.example.com" + id; ${SEND}`), "api.example.com", false],
  "that may go on as one that is declared": [
    formula(`const url = "https://www.acme.com" + id; ${SEND}`).replace('"example.com"', '"acme.com.au"'),
    "www.acme.com",
    false,
  ],
  "that may be the beginning of another": [formula(`const url = "https://my.app" + id; ${SEND}`), "?", false],
  "of which one label is known": [formula(`const url = "https://com" + id; ${SEND}`), "?", false],
  "in JavaScript, across files": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { get } = require("./api");\nconst pack = coda.newPack();\nexports.pack = pack;\npack.addNetworkDomain("example.com");\npack.addFormula({ name: "A", description: "", parameters: [], resultType: "string", execute: async function (args, context) { return get(context, args[0]); } });\n// @file: api.js\nconst BASE = "https://api.acme.com";\nexports.get = (context, path) => context.fetcher.fetch({ method: "GET", url: BASE + path });\n`,
    "api.acme.com",
    true,
  ],
};

describe("a host before an unknown path", () => {
  for (const [name, [source, target, isUndeclared]] of Object.entries(BEFORE_A_PATH))
    it(`the host is judged: ${name}`, () => {
      const result = look(split(source));
      assert.deepEqual(result.targets, [target]);
      assert.equal(result.undeclared.length > 0, isUndeclared, result.undeclared.join());
    });
});
