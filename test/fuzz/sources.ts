// What fuzzing starts from: every example of every rule, the toolkit's own samples, and shapes that neither has. Small ones, so that
// many fit into a run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RULES } from "../../server/analysis/rules/index.ts";
import { type Files, split, unmark } from "../support/analyse.ts";
import { root } from "../support/packs.ts";

const LONGEST = 6_000;

const SHAPES: readonly string[] = [
  `#!/usr/bin/env node\n"use strict";\nconst coda = require("@codahq/packs-sdk");\nvar pack = exports.pack = coda.newPack();\nfunction setup(pack, { invocationToken: token }) { pack.setUserAuthentication({ type: "Custom", params: [{ name: "key", description: "" }] }); return \`{{key-\${token}}}\`; }\nsetup(pack);\nmodule.exports = { pack };\n`,
  `// @file: pack.ts\nimport * as coda from "@codahq/packs-sdk";\nimport { BASE, auth as config } from "./auth";\nexport * from "./formulas";\nexport const pack = coda.newPack();\npack.addNetworkDomain(BASE);\npack.setUserAuthentication({ ...config, networkDomain: BASE });\n// @file: auth.ts\nimport * as coda from "@codahq/packs-sdk";\nexport const BASE = "example.com";\nexport const auth = { type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] };\n// @file: formulas.ts\nimport { pack } from "./pack";\npack.addFormula({ name: "A", execute: async (_, context) => context.fetcher.fetch({ method: "GET", url: "https://example.com/{{key-" + context.invocationToken + "}}" }) });\n`,
  `import type { Formula } from "@codahq/packs-sdk";\nimport * as coda from "@codahq/packs-sdk";\nawait Promise.resolve();\nnamespace N { export const x = 1; }\nabstract class A<T extends object> { static { pack.addFormula({ name: "B" }); } #p = <T,>(x: T) => x; @d() m() {} }\nlabel: for (const i of [1]) { if (i) break label; else continue; }\nexport const pack = coda.newPack({ networkDomains: ["example.com"], defaultAuthentication: { type: coda.AuthenticationType.HeaderBearerToken } });\nlet a = pack as unknown as { b<T>(x: T): void }; a.b<string>("x")\n;[1, 2].map(x => x)\n\`\${pack}\`\ntype T = keyof typeof pack\nvar r = /[/]\\/*/g / 2\n`,
  `import * as coda from "@codahq/packs-sdk"\nconst { newPack, AuthenticationType: Types } = coda\nexport const pack = newPack()\nlet domain = "example.com"\ndomain = "example.org"\npack.addNetworkDomain(domain)\nconst config: any = { type: Types.OAuth2, authorizationUrl: "https://example.com/a", tokenUrl: "https://example.com/t", scopes: ["a" + "b"] }\nconfig.useProofKeyForCodeExchange = true\nif (process.env.X) { pack.setUserAuthentication(config) } else pack.setUserAuthentication({ type: Types.None })\npack.setSystemAuthentication({ type: Types.AWSAccessKey, service: "s3" })\n`,
];

/** Sets of files, by path; the first is the pack's. */
export function fuzzSources(): readonly Files[] {
  const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples/packs");
  const real = readdirSync(samples, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => readFileSync(join(samples, name), "utf8"));
  const examples = RULES.flatMap((rule) => rule.examples.flatMap((example) => example.bad ?? example.good ?? []));
  const sources = [...SHAPES, ...examples, ...real].filter((text) => text.length < LONGEST);
  return sources.map((source) => unmark(split(source)).files);
}
