// Requests past the fetcher: said of what certainly fails on the platform, and of nothing that may be another thing.
import assert from "node:assert/strict";
import { analyse, split } from "../../support/analyse.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n';
const formula = (body: string): string =>
  `pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: async function ([], context) { ${body} } });\n`;
const ASK = formula('return (await fetch("https://acme.example/")).text();');

function findingsIn(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files);
  return Object.entries(files).flatMap(([file, text]) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => rule === "request-without-fetcher")
      .map(({ place, message }) => `${text.slice(place.start, place.end)}: ${message}`),
  );
}

describe("a request without the fetcher", () => {
  const NONE = "Use context.fetcher.fetch. The platform's runtime has no";
  const FLAGGED: Readonly<Record<string, readonly [source: string, message: string]>> = {
    fetch: [`${HEAD}${ASK}`, `fetch: ${NONE} fetch.`],
    XMLHttpRequest: [`${HEAD}${formula('const x = new XMLHttpRequest(); return "a";')}`, `XMLHttpRequest: ${NONE} XMLHttpRequest.`],
    "in a helper of another file": [
      `// @file: pack.ts\nimport { me } from "./api";\n${HEAD}${formula("return me();")}// @file: api.ts\nexport const me = async () => (await fetch("https://acme.example/")).text();\n`,
      `fetch: ${NONE} fetch.`,
    ],
    "node-fetch": [
      `import fetch from "node-fetch";\n${HEAD}${ASK}`,
      "fetch: Use context.fetcher.fetch. node-fetch has no network in the platform's runtime.",
    ],
    "axios, required": [
      `const axios = require("axios");\n${HEAD}${formula('return (await axios({ url: "https://acme.example/" })).data;')}`,
      "axios: Use context.fetcher.fetch. axios has no network in the platform's runtime.",
    ],
    "a new client": [
      `import axios from "axios";\n${HEAD}const api = axios.create({ baseURL: "https://acme.example" });\n${formula('return (await api.get("/")).data;')}`,
      "axios.create: Use context.fetcher.fetch. axios has no network in the platform's runtime.",
    ],
    "a function by its name": [
      `import { request } from "undici";\n${HEAD}${formula('return (await request("https://acme.example/")).body.text();')}`,
      "request: Use context.fetcher.fetch. undici has no network in the platform's runtime.",
    ],
    "the fetcher with a URL": [
      `${HEAD}${formula('return (await context.fetcher.fetch("https://acme.example/", { method: "POST" })).body;')}`,
      '"https://acme.example/": Give fetch one object with method and url. The fetcher takes no URL by itself, so the request fails.',
    ],
    "the fetcher with a URL that is put together, in a helper": [
      `${HEAD}const get = (ctx: any, path: string) => ctx.fetcher.fetch(\`https://acme.example/\${path}\`);\n${formula('return (await get(context, "a")).body;')}`,
      "`https://acme.example/${path}`: Give fetch one object with method and url. The fetcher takes no URL by itself, so the request fails.",
    ],
    "another method of the fetcher": [
      `${HEAD}${formula('return (await context.fetcher.post("https://acme.example/", { a: 1 })).data;')}`,
      "context.fetcher.post: Use context.fetcher.fetch with method and url. The fetcher has no post.",
    ],
  };
  for (const [name, [source, finding]] of Object.entries(FLAGGED))
    it(`the request is flagged: ${name}`, () => assert.deepEqual(findingsIn(source), [finding]));

  const RIGHT: Readonly<Record<string, string>> = {
    "a request that is put together before": `${HEAD}${formula('const request = { method: "GET" as const, url: "https://acme.example/" }; return (await context.fetcher.fetch(request)).body;')}`,
    "a custom fetcher in the context": `${HEAD}const own = (context: any) => ({ ...context, fetcher: { get: (url: string) => context.fetcher.fetch({ method: "GET", url }) } });\n${formula('const mine = own(context); return (await mine.fetcher.get("https://acme.example/")).body + (await context.fetcher.get("https://acme.example/")).body;')}`,
    "a fetcher of another object": `${HEAD}declare const client: any;\n${formula('return client.fetcher.get("https://acme.example/") + client.fetcher.fetch("https://acme.example/");')}`,
    "a function of that name": `${HEAD}async function fetch(url: string) { return { text: () => url }; }\n${ASK}`,
    "an import of that name": `import { fetch } from "./fetch";\n${HEAD}${ASK}`,
    "a parameter of that name": `${HEAD}const get = (fetch: (url: string) => string) => fetch("a");\n${formula("return get((url) => url);")}`,
    "a method destructured from the fetcher": `${HEAD}${formula('const { fetch } = context.fetcher; return (await fetch({ method: "GET", url: "https://acme.example/" })).body;')}`,
    "a method of that name": `${HEAD}const api = { fetch: (url: string) => url };\n${formula('return api.fetch("a");')}`,
    "a function that nothing calls": `${HEAD}export async function script() { return fetch("https://acme.example/"); }\n`,
    "a test for its existence": `${HEAD}${formula('return typeof fetch === "undefined" ? "a" : (await fetch("https://acme.example/")).text();')}`,
    "one that the pack brings along": `${HEAD}globalThis.fetch = (() => ({ text: () => "a" })) as any;\n${ASK}`,
    "a script that the pack does not import": `// @file: pack.ts\n${HEAD}// @file: script.ts\nimport { pack } from "./pack";\nvoid fetch("https://acme.example/" + pack.version);\n`,
    "a test beside the pack": `// @file: pack.ts\n${HEAD}// @file: pack.test.ts\nimport axios from "axios";\nimport { pack } from "./pack";\nit("runs", () => axios.get("https://acme.example/" + pack.version));\n`,
    "a script whose types the pack takes": `// @file: pack.ts\nimport type { Row } from "./script";\n${HEAD}export type Rows = Row[];\n// @file: script.ts\nexport interface Row { id: string }\nvoid fetch("https://acme.example/" + process.argv[2]);\n`,
    "a type, and what sends nothing": `import axios, { type AxiosResponse, AxiosError } from "axios";\n${HEAD}export const isIt = (error: unknown, answer: AxiosResponse) => axios.isAxiosError(error) || new AxiosError(String(answer));\n`,
    "a client with its own transport": `import axios from "axios";\n${HEAD}${formula('return (await axios.get("https://acme.example/", { adapter: (config) => context.fetcher.fetch(config as any) as any })).data;')}`,
    "a package of one's own": `// @file: pack.ts\nimport { request } from "./request";\n${HEAD}${formula('return request("a");')}// @file: request.ts\nexport const request = (url: string) => url;\n`,
  };
  for (const [name, source] of Object.entries(RIGHT)) it(`the code is accepted: ${name}`, () => assert.deepEqual(findingsIn(source), []));
});
