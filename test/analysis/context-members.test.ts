// What the context does not have is undefined: it is said where the context is certainly the platform's, and nowhere else.
import assert from "node:assert/strict";
import { analyse, split } from "../support/analyse.ts";
import { fixesOf } from "../support/flagged.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const AUTH = (name: string): string =>
  `pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: ${name} });\n`;
const FORMULA = (execute: string): string =>
  `pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, execute: ${execute} });\n`;

const UNKNOWN: Readonly<Record<string, readonly [source: string, member: string]>> = {
  "the credentials, under a made-up name": [
    `${HEAD}${FORMULA("async function ([], context) { return (context as any, context.connectionParams).key; }")}`,
    "connectionParams",
  ],
  "a misspelt member": [`${HEAD}${FORMULA("async ([], context) => context.invocationTokn")}`, "invocationTokn"],
  "in the naming of accounts": [`${HEAD}${AUTH("async function (context) { return context.user.name; }")}`, "user"],
  "under another name": [`${HEAD}${AUTH("async (ctx) => ctx.account")}`, "account"],
  "of any type": [`${HEAD}${FORMULA("async ([], context: any) => context.connection.token")}`, "connection"],
  "of any type, in a destructured parameter": [
    `${HEAD}${FORMULA("async ([], { fetcher, connection }: any) => String(fetcher) + connection")}`,
    "connection",
  ],
  "in a named function": [`${HEAD}async function me([], context) { return context.secrets; }\n${FORMULA("me")}`, "secrets"],
  "in a helper by its type": [
    `${HEAD}export function read(context: coda.ExecutionContext) { return context.connectionParams; }\n`,
    "connectionParams",
  ],
  destructured: [
    `${HEAD}${FORMULA("async function ([], context) { const { fetcher, connectionParams } = context; return String(fetcher) + connectionParams; }")}`,
    "connectionParams",
  ],
  "destructured under another name": [
    `${HEAD}${FORMULA("async ([], ctx) => { const { fetcher: get, endpoin: base = '' } = ctx as any; return get + base; }")}`,
    "endpoin",
  ],
  "in a destructured parameter": [
    `${HEAD}${FORMULA("async function ([], { fetcher, connectionParams }) { return String(fetcher) + connectionParams; }")}`,
    "connectionParams",
  ],
  "in a destructured parameter, in the naming of accounts": [
    `${HEAD}${AUTH("async ({ fetcher: send, endpoin: base = '', ...more }) => String(send) + base + more")}`,
    "endpoin",
  ],
  "in a destructured parameter of a context's type": [
    `${HEAD}export const read = (id: string, more: number, { user }: coda.SyncExecutionContext) => [id, more, user];\n`,
    "user",
  ],
  "in a destructured parameter, in JavaScript across files": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { me } = require("./me");\nconst pack = coda.newPack();\n${FORMULA("me")}module.exports = { pack };\n// @file: me.js\nexports.me = async ([], { fetcher, invocationToken, secret }) => [fetcher, invocationToken, secret].join();\n`,
    "secret",
  ],
  "through a cast, in a helper": [
    `${HEAD}type Signed = coda.ExecutionContext & { authentication?: { accessToken?: string } };\nfunction keyOf(context: coda.ExecutionContext) { return (context as Signed).authentication?.accessToken; }\n${FORMULA("async ([], context) => keyOf(context)")}`,
    "authentication",
  ],
  "through a cast to any": [`${HEAD}${FORMULA("async ([], context) => (context as any).secrets.key")}`, "secrets"],
  "through a cast of a cast": [`${HEAD}${FORMULA("async ([], context) => (context as unknown as Signed).account!.key")}`, "account"],
  "through a cast in angle brackets": [`${HEAD}${AUTH("async function (context) { return (<any>context).user; }")}`, "user"],
  "in brackets and with an exclamation mark": [`${HEAD}${FORMULA("async ([], context) => (context!).connection")}`, "connection"],
  "where a part of the context is spread": [
    `${HEAD}${FORMULA("async ([], context) => ({ ...context.sync, ...context?.invocationLocation, key: context.secrets })")}`,
    "secrets",
  ],
  "in brackets, in JavaScript, across files": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { me } = require("./me");\nconst pack = coda.newPack();\n${FORMULA("me")}module.exports = { pack };\n// @file: me.js\nexports.me = async ([], context) => (/** @type {any} */ (context)).secrets;\n`,
    "secrets",
  ],
  "through a cast, across files": [
    `// @file: pack.ts\nimport { keyOf } from "./key";\n${HEAD}${FORMULA("async ([], context) => keyOf(context)")}// @file: key.ts\nimport * as coda from "@codahq/packs-sdk";\nexport const keyOf = (context: coda.SyncExecutionContext) => (context as any).credentials;\n`,
    "credentials",
  ],
  "in a sync table's options": [
    `${HEAD}pack.addSyncTable({ name: "T", identityName: "T", schema: coda.makeObjectSchema({ type: coda.ValueType.Object, idProperty: "id", displayProperty: "id", properties: { id: { type: coda.ValueType.String } } }), formula: { name: "T", description: "T", parameters: [], execute: async function ([], context) { return { result: [{ id: context.user }] }; } } });\n`,
    "user",
  ],
  "JavaScript, across files": [
    `// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst { me } = require("./me");\nconst pack = coda.newPack();\n${FORMULA("me")}module.exports = { pack };\n// @file: me.js\nexports.me = async function ([], context) {\n  return context.connectionParams.key;\n};\n`,
    "connectionParams",
  ],
};

const EXISTING_MEMBERS: Readonly<Record<string, string>> = {
  "every member": `${HEAD}${FORMULA("async ([], context) => [context.fetcher, context.endpoint, context.sync, context.timezone, context.invocationToken, context.invocationLocation, context.temporaryBlobStorage].join()")}`,
  "every member, destructured": `${HEAD}${FORMULA("async ([], context) => { const { fetcher, endpoint, ...more } = context; const { continuation } = context.sync!; return [fetcher, endpoint, more, continuation].join(); }")}`,
  "every member, in a destructured parameter": `${HEAD}${FORMULA("async ([], { fetcher, endpoint, sync: { continuation }, ...more }) => [fetcher, endpoint, continuation, more].join()")}`,
  "a destructured parameter of another object": `${HEAD}const send = ({ fetcher, path }) => fetcher.fetch({ method: "GET", url: path });\n${FORMULA('async ([], { fetcher }) => { [{ fetcher, name: "x" }].map(({ fetcher: f, name }) => [f, name]); return (await send({ fetcher, path: "https://example.com/" })).body; }')}`,
  "destructured parameters of an autocomplete function": `${HEAD}pack.addFormula({ name: "Me", description: "Me.", parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "team", description: "t", autocomplete: async function (context, search, { fetcher, team }) { return [String(context.fetcher), fetcher, team]; } })], resultType: coda.ValueType.String, execute: async () => "" });\n`,
  "members of an error": `${HEAD}pack.addFormula({ name: "Me", description: "Me.", parameters: [], resultType: coda.ValueType.String, onError: async ({ message }) => message, execute: async () => "" });\n`,
  "a parameter of a custom type": `${HEAD}${FORMULA("async function ([], { fetcher, user }: { fetcher: any; user: string }) { return String(fetcher) + user; }")}`,
  "another object called context": `${HEAD}const context = { user: "me" };\nfunction render(context) { return context.title; }\n${FORMULA("async () => context.user + render({ title: 1 }) + [{ user: 1 }].map((context) => context.user)")}`,
  "a custom type": `${HEAD}interface Context { user: string }\nexport const read = (context: Context) => context.user;\n${FORMULA('async () => read({ user: "x" })')}`,
  "a member that was written before": `${HEAD}${FORMULA("async function ([], context) { (context as any).cache = {}; return context.cache; }")}`,
  "a member that a custom type adds": `${HEAD}type Mine = coda.ExecutionContext & { client: string };\nconst read = (context: coda.ExecutionContext) => (context as Mine).client;\n${FORMULA("async ([], context) => read({ ...context, client: 'x' } as Mine)")}`,
  "a member that code assigns": `${HEAD}const read = (context: coda.ExecutionContext) => (context as any).client;\n${FORMULA("async ([], context) => read(Object.assign(context, { client: 'x' }))")}`,
  "members of every object": `${HEAD}${FORMULA('async ([], context) => context.hasOwnProperty("sync") ? context.toString() : ""')}`,
};

const findUnknownMembers = (source: string, toolkit = true): readonly string[] => {
  const files = split(source);
  const analysis = analyse(files, { toolkit });
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => rule === "context-member-unknown")
      .map(({ severity, place }) => `${severity} ${files[file]?.slice(place.start, place.end)}`),
  );
};

describe("unknown members of the context", () => {
  it("a misspelt member is corrected in its destructuring and keeps its variable", () => {
    const source = `${HEAD}${FORMULA("async function ([], context) { const { fetchr } = context as any; return fetchr; }")}`;
    assert.deepEqual(fixesOf(source, "context-member-unknown", { toolkit: true }), {
      "Change to fetcher": source.replace("{ fetchr }", "{ fetcher: fetchr }"),
    });
  });

  it("a member is not corrected to an unrelated name", () => {
    for (const member of ["authentication", "invocation"])
      assert.deepEqual(
        fixesOf(`${HEAD}${FORMULA(`async ([], context) => context.${member}`)}`, "context-member-unknown", { toolkit: true }),
        {},
      );
  });

  for (const [name, [source, member]] of Object.entries(UNKNOWN))
    it(`an unknown member is flagged: ${name}`, () => {
      assert.deepEqual(findUnknownMembers(source), [`warning ${member}`]);
      // What a newer SDK may give is not known without one.
      assert.deepEqual(findUnknownMembers(source, false), []);
    });

  for (const [name, source] of Object.entries(EXISTING_MEMBERS))
    it(`a valid access is not flagged: ${name}`, () => assert.deepEqual(findUnknownMembers(source), []));
});

describe("context members of other SDK versions", () => {
  const SUGGESTIONS: Readonly<Record<string, RegExp>> = {
    logger: /^Use console\.log instead of context\.logger\. /,
    previousCompletion: /^Use context\.sync\.previousCompletion\. /,
    continuation: /^Use context\.sync\.continuation\. /,
  };
  for (const [name, text] of Object.entries(SUGGESTIONS))
    it(`the finding for ${name} says what to use instead, as a run does`, () => {
      const source = `${HEAD}${FORMULA(`async ([], context) => String(context.${name})`)}`;
      const findings = analyse({ "/pack/pack.ts": source }, { toolkit: true }).diagnostics("/pack/pack.ts");
      const [only, ...more] = findings.filter(({ rule }) => rule === "context-member-unknown");
      assert.deepEqual(more, []);
      assert.match(only?.message ?? "", text);
      assert.deepEqual(only?.fixes, []);
    });
});
