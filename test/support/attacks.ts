// Attacks of a pack on the machine and the host that run it. Tests show that each attack is stopped or bounded, and the bench measures how
// long it blocks the host.
import { z } from "zod";
import type { ErrorCode } from "../../platform/errors.ts";
import { readTable } from "./json-cases.ts";
import { packFiles } from "./pack-file.ts";

const attack = z.strictObject({
  /** The body of a function; `context` is defined if a formula is the attacker. */
  body: z.string(),
  endsWith: z.custom<ErrorCode>(),
  /** The attack needs no `await`, so it can be placed wherever pack code is called. */
  anywhere: z.boolean().optional(),
});
export type Attack = z.infer<typeof attack>;

/** Each microtask of the endless loop of microtasks releases the one before, so the loop consumes time but not memory. */
export const ATTACKS = readTable("test/support/attacks.json", z.record(z.string(), attack));

/** The places from which pack code is called. Each function returns a formula with the attack at that place. */
export const PLACES: Readonly<Record<string, (name: string, body: string) => string>> = {
  "a getter of the result": (name, body) => formula(name, `return { get value(): any { ${body} } }`),
  "a toJSON of the result": (name, body) => formula(name, `return { toJSON(): any { ${body} } }`),
  "an item of a long result": (name, body) =>
    formula(
      name,
      `const list: any[] = Array.from({ length: 1_000 }, (_, i) => i); list[700] = { get value(): any { ${body} } }; return list`,
    ),
  "an error's getter": (name, body) => formula(name, `throw { get message(): any { ${body} } }`),
  "what an awaited function calls": (name, body) =>
    formula(name, `const inner = async (): Promise<any> => { await null; ${body} }; return await inner()`),
  "a column format": (name, body) =>
    `${formula(name, body)} pack.addColumnFormat({ name: "${name}", instructions: "Tries.", formulaName: "${name}", matchers: [] });`,
  "an autocomplete": (name, body) => `pack.addFormula({ name: "${name}", description: "Tries.", resultType: coda.ValueType.String,
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "Text.", autocomplete: async function (): Promise<any> { ${body} } })],
  connectionRequirement: coda.ConnectionRequirement.None, execute: async ([text]) => text });`,
};

export const formula = (name: string, body: string): string =>
  `pack.addFormula({ name: "${name}", description: "Tries.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None,
  execute: async function (_: any, context: any): Promise<any> { ${body} } });`;

/** Returns a pack with these statements. */
export const attackingSource = (statements: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n${statements}\n`;

export const attackingPack = (statements: string): string => packFiles({ "pack.ts": attackingSource(statements) });
