// Packs of few names and many relations between them: whatever is kept of a statement hangs on others, and edits change who means what.
import type { OffsetEdit } from "../../server/analysis/analysis.ts";
import type { Files } from "../support/analyse.ts";
import type { Random } from "./random.ts";

const NAMES = ["a", "b", "c", "f", "g", "pack", "coda"];
const MODULES = ["./a", "./b", "./pack", "./c", "@codahq/packs-sdk"];
const TEXTS = ["example.com", "https://example.com/x", "https://api.example.com", "key", "token", "GET", "F", "Custom", "read write"];
const FIELDS = ["type", "params", "networkDomain", "authorizationUrl", "tokenUrl", "scopes", "headerName", "a", "b", "url", "name"];
const TYPES = ["Custom", "OAuth2", "HeaderBearerToken", "CustomHeaderToken", "None", "MultiHeaderToken", "QueryParamToken"];

type Make = (random: Random) => string;

const name: Make = (random) => random.pick(NAMES);
const field: Make = (random) => random.pick(FIELDS);
const quoted: Make = (random) => JSON.stringify(random.pick(TEXTS));

function members(random: Random): string {
  const texts: string[] = [];
  for (let count = random.int(4); count > 0; count--)
    texts.push(random.oneIn(6) ? `...${name(random)}` : random.oneIn(6) ? name(random) : `${field(random)}: ${value(random)}`);
  return texts.join(", ");
}

const VALUES: readonly Make[] = [
  name,
  name,
  quoted,
  quoted,
  (random) => `{ ${members(random)} }`,
  (random) => `[${value(random)}, ${value(random)}]`,
  (random) => `coda.AuthenticationType.${random.pick(TYPES)}`,
  (random) => `{ type: coda.AuthenticationType.${random.pick(TYPES)}, params: [{ name: ${quoted(random)}, description: "d" }] }`,
  (random) =>
    `{ type: coda.AuthenticationType.OAuth2, authorizationUrl: ${value(random)}, tokenUrl: ${quoted(random)}, scopes: ${value(random)} }`,
  (random) => `${name(random)}(${value(random)})`,
  (random) => `${name(random)}.${field(random)}`,
  (random) => `${name(random)}[${quoted(random)}]`,
  (random) => `(${name(random)} ? ${value(random)} : ${value(random)})`,
  (random) => `${value(random)} + ${value(random)}`,
  (random) => `\`https://\${${name(random)}}/{{key-\${context.invocationToken}}}\``,
  (random) => `\`{{${random.pick(["key", "token", "nope"])}-\${context.invocationToken}}}\``,
  (random) => `${value(random)} as any`,
  (random) => `function (${name(random)}) { return ${value(random)}; }`,
  (random) => `(${name(random)}, context) => ${value(random)}`,
  (random) => `async ([${name(random)}], context) => { ${statement(random)} return ${fetched(random)}; }`,
];

function value(random: Random): string {
  return random.pick(random.oneIn(3) ? VALUES : VALUES.slice(0, 4))(random);
}

const fetched: Make = (random) =>
  `context.fetcher.fetch({ method: ${quoted(random)}, url: ${value(random)}${random.oneIn(3) ? `, headers: { ${members(random)} }` : ""}${random.oneIn(5) ? ", disableAuthentication: true" : ""} })`;

const formula: Make = (random) =>
  `name: ${quoted(random)}, description: "d", parameters: [], resultType: coda.ValueType.String, ${random.oneIn(3) ? `connectionRequirement: coda.ConnectionRequirement.${random.pick(["Required", "None", "Optional"])}, ` : ""}execute: ${random.oneIn(2) ? name(random) : `async function ([${name(random)}], context) { ${statement(random)} return ${random.oneIn(2) ? fetched(random) : value(random)}; }`}`;

const configured: Make = (random) =>
  random.pick([
    `{ type: coda.AuthenticationType.Custom, params: [{ name: ${random.oneIn(2) ? '"key"' : value(random)}, description: "d" }], ${members(random)} }`,
    `{ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://example.com/a", tokenUrl: "https://example.com/t", ${members(random)} }`,
    `{ type: coda.AuthenticationType.${random.pick(TYPES)}, ${members(random)} }`,
    `{ ...${name(random)}, type: coda.AuthenticationType.${random.pick(TYPES)} }`,
  ]);

const STATEMENTS: readonly Make[] = [
  (random) => `pack.setUserAuthentication(${configured(random)});`,
  (random) => `pack.setUserAuthentication(${configured(random)});`,
  (random) => `const ${name(random)} = ${configured(random)};`,
  (random) => `export const ${name(random)} = ${configured(random)};`,
  (random) => `export const ${name(random)} = ${quoted(random)};`,
  (random) => `pack.setUserAuthentication(${value(random)});`,
  (random) => `${name(random)}.setUserAuthentication(${value(random)});`,
  (random) => `pack.setSystemAuthentication(${value(random)});`,
  (random) => `pack.addNetworkDomain(${value(random)});`,
  (random) => `pack.addFormula({ ${formula(random)} });`,
  (random) => `pack.addFormula({ ${formula(random)} });`,
  (random) =>
    `pack.addSyncTable({ name: ${quoted(random)}, identityName: "I", schema: ${name(random)}, formula: { ${formula(random)} } });`,
  (random) => `const ${name(random)} = ${value(random)};`,
  (random) => `const ${name(random)} = ${value(random)};`,
  (random) => `let ${name(random)} = ${value(random)};`,
  (random) => `export const ${name(random)} = ${value(random)};`,
  (random) => `const { ${name(random)}, ${field(random)}: ${name(random)} } = ${value(random)};`,
  (random) => `${name(random)} = ${value(random)};`,
  (random) => `${name(random)}.${field(random)} = ${value(random)};`,
  (random) => `${name(random)}.push(${value(random)});`,
  (random) => `Object.assign(${name(random)}, ${value(random)});`,
  (random) => `delete ${name(random)}.${field(random)};`,
  (random) => `${name(random)}(${value(random)}, ${value(random)});`,
  (random) => `await ${fetched(random)};`,
  (random) => `function ${name(random)}(${name(random)}, ${name(random)}) { ${statement(random)} return ${value(random)}; }`,
  (random) => `export function ${name(random)}(context) { return ${fetched(random)}; }`,
  (random) =>
    `export async function ${name(random)}(context: coda.ExecutionContext, ${name(random)} = ${value(random)}) { return ${fetched(random)}; }`,
  (random) =>
    `class ${name(random)} { static ${name(random)} = ${value(random)}; ${name(random)}(context) { return ${fetched(random)}; } }`,
  (random) => `enum ${name(random)} { ${name(random)} = ${quoted(random)}, ${name(random)} = ${quoted(random)} }`,
  (random) => `if (${name(random)}) { ${statement(random)} } else ${statement(random)}`,
  (random) => `for (const ${name(random)} of ${value(random)}) { ${statement(random)} }`,
  (random) => `{ ${statement(random)} }`,
  (random) => `type ${name(random)} = { ${name(random)}: string };`,
  (random) => `import { ${name(random)} } from "${random.pick(MODULES)}";`,
  (random) => `import { ${name(random)} as ${name(random)} } from "${random.pick(MODULES)}";`,
  (random) => `import * as ${name(random)} from "${random.pick(MODULES)}";`,
  (random) => `import ${name(random)} from "${random.pick(MODULES)}";`,
  (random) => `const ${name(random)} = require("${random.pick(MODULES)}");`,
  (random) => `export * from "${random.pick(MODULES)}";`,
  (random) => `export { ${name(random)}, ${name(random)} as ${name(random)} } from "${random.pick(MODULES)}";`,
  (random) => `export { ${name(random)} };`,
  (random) => `export default ${value(random)};`,
  (random) => `module.exports = { ${members(random)} };`,
  (random) => `exports.${name(random)} = ${value(random)};`,
  () => 'import * as coda from "@codahq/packs-sdk";',
  () => "export const pack = coda.newPack();",
  (random) => `export const pack = coda.newPack({ ${members(random)} });`,
  () => "// pack-auth-disable-next-line placeholder-unknown, domain-missing -- reason\n",
];

function statement(random: Random): string {
  return random.pick(STATEMENTS)(random);
}

/** A source of up to seven statements. */
export function statements(random: Random): string {
  let text = "";
  for (let count = 1 + random.int(7); count > 0; count--) text += `${statement(random)}\n`;
  return text;
}

const file = (random: Random, head: string): string => head + statements(random);

/** Two or three files; the first is the pack's. */
export function densePack(random: Random): Files {
  const files: Record<string, string> = {
    "/pack/pack.ts": file(
      random,
      'import * as coda from "@codahq/packs-sdk";\nimport { a, b, f } from "./a";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n',
    ),
    "/pack/a.ts": file(random, 'import * as coda from "@codahq/packs-sdk";\n'),
  };
  if (random.oneIn(2)) files["/pack/b.ts"] = file(random, random.oneIn(2) ? 'import { pack } from "./pack";\n' : "");
  return files;
}

const WORD = /[A-Za-z_$][\w$]*|"[^"\n]*"/g;

/** An edit after which the text is mostly as right as it was. */
export function denseEdit(text: string, random: Random): OffsetEdit {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const start = random.pick(starts);
  if (random.oneIn(3)) return { start, end: start, text: `${statement(random)}\n` };
  const end = text.indexOf("\n", start) + 1 || text.length;
  if (random.oneIn(4)) return { start, end, text: "" };
  if (random.oneIn(6)) return { start, end: start, text: `${text.slice(...lineFrom(text, random.pick(starts)))}\n` };
  const matches = [...text.matchAll(WORD)];
  if (matches.length === 0) return { start, end: start, text: `${statement(random)}\n` };
  const word = random.pick(matches);
  const other = random.oneIn(2) ? random.pick(matches)[0] : random.oneIn(2) ? name(random) : value(random);
  return { start: word.index, end: word.index + word[0].length, text: other };
}

function lineFrom(text: string, start: number): [number, number] {
  const end = text.indexOf("\n", start);
  return [start, end < 0 ? text.length : end];
}
