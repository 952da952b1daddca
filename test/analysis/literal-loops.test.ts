// A configuration or an MCP server that a loop takes from a literal list, or that is taken out of a literal, is checked as if it stood in
// the call. What a loop changes or leaves out is not known.
import assert from "node:assert/strict";
import { flagged } from "../support/flagged.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nconst A = coda.AuthenticationType;\nexport const pack = coda.newPack();\npack.addNetworkDomain("acme.example");\n`;
const CONFIG = "{ type: A.QueryParamToken }";
const SERVER = '{ name: "bad name", endpointUrl: "https://acme.example/mcp" }';
const MISSING = "error field-missing: type: A.QueryParamToken";
const MISNAMED = 'error mcp-server-name: "bad name"';

const WRONG: Readonly<Record<string, readonly [statements: string, finding: string]>> = {
  "a setter in a loop": [`for (const c of [${CONFIG}]) pack.setUserAuthentication(c);`, MISSING],
  "a setter in a loop, in a block": [`for (const c of [${CONFIG}]) { pack.setSystemAuthentication(c); }`, MISSING],
  "a setter in a loop over a list with a name": [`const ALL = [${CONFIG}];\nfor (const c of ALL) pack.setUserAuthentication(c);`, MISSING],
  "a setter in a loop by an index": [
    `const ALL = [${CONFIG}];\nfor (let i = 0; i < ALL.length; i++) pack.setUserAuthentication(ALL[i]);`,
    MISSING,
  ],
  "a setter for each item": [`[${CONFIG}].forEach((c) => pack.setUserAuthentication(c));`, MISSING],
  "an MCP server in a loop": [`for (const s of [${SERVER}]) pack.addMCPServer(s);`, MISNAMED],
  "an MCP server for each item": [`[${SERVER}].forEach((s) => { pack.addMCPServer(s); });`, MISNAMED],
  "a part of an object": [`const { auth } = { auth: ${CONFIG} };\npack.setUserAuthentication(auth);`, MISSING],
  "a part of an object in an object": [
    `const { all: { auth: mine } } = { all: { auth: ${CONFIG} } };\npack.setUserAuthentication(mine);`,
    MISSING,
  ],
  "an item of a list": [`const [, auth] = [1, ${CONFIG}];\npack.setUserAuthentication(auth);`, MISSING],
};

const UNKNOWN: Readonly<Record<string, string>> = {
  "an item that the loop writes to": `for (const c of [${CONFIG} as any]) { c.paramName = "key"; pack.setUserAuthentication(c); }`,
  "an item that the loop may leave out": `for (const c of [${CONFIG}]) if (c.type !== A.QueryParamToken) pack.setUserAuthentication(c);`,
  "an item that is spread": `for (const c of [${CONFIG}]) pack.setUserAuthentication({ ...c, paramName: "key" });`,
  "a list that is not known": `declare const more: any[];\nfor (const c of [${CONFIG}, ...more]) pack.setUserAuthentication(c);`,
  "a part that is written to": `const { auth } = { auth: ${CONFIG} as any };\nauth.paramName = "key";\npack.setUserAuthentication(auth);`,
  "a part that has a default": `declare const more: any;\nconst { auth = ${CONFIG} } = { auth: more };\npack.setUserAuthentication(auth);`,
  "a part of an object that something is spread into": `declare const more: any;\nconst { auth } = { auth: ${CONFIG}, ...more };\npack.setUserAuthentication(auth);`,
};

describe("items of a literal list or object", () => {
  for (const [name, [statements, finding]] of Object.entries(WRONG))
    it(`the item is checked as if written in the call: ${name}`, () => assert.deepEqual(flagged(`${HEAD}${statements}\n`), [finding]));

  for (const [name, statements] of Object.entries(UNKNOWN))
    it(`the item is not judged where it may have changed: ${name}`, () => assert.deepEqual(flagged(`${HEAD}${statements}\n`), []));
});
