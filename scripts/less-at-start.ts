// What bundles leave out so that they start sooner: what no check asks for is read, and made into objects, at each start all the same.
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";
import { ts } from "ts-morph";

/** Rules without their examples, which their pages, the tests and `pack-auth explain` show. */
export const withoutExamples: Plugin = {
  name: "without-examples",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]server[\\/]analysis[\\/]rules[\\/][\w-]+\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const examples = text.includes("rule({") ? examplesIn(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)) : undefined;
      if (examples === undefined) return undefined;
      return { contents: `${text.slice(0, examples.getStart())}[]${text.slice(examples.end)}`, loader: "ts" };
    });
  },
};

/** What `examples` is in `rule({ … })`. */
function examplesIn(node: ts.Node): ts.Node | undefined {
  if (!ts.isCallExpression(node) || node.expression.getText() !== "rule") return ts.forEachChild(node, examplesIn);
  const [definition] = node.arguments;
  const properties = definition !== undefined && ts.isObjectLiteralExpression(definition) ? definition.properties : [];
  const found = properties.find((property) => property.name?.getText() === "examples");
  if (found === undefined || !ts.isPropertyAssignment(found))
    throw new Error(`${node.getSourceFile().fileName}: the rule has no examples.`);
  return found.initializer;
}

/** Of jsonc-parser what is used: its formatter makes two thousand strings of blanks when it is loaded. */
export const parserOfJsonOnly: Plugin = {
  name: "parser-of-json-only",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^\.\/impl\/(?:format|edit)$/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === RESOLVING || !/[\\/]jsonc-parser[\\/]/.test(options.importer)) return undefined;
      const found = await resolve(path, { ...options, pluginData: RESOLVING });
      return found.errors.length > 0 ? { errors: found.errors } : { path: found.path, sideEffects: false };
    });
  },
};

const RESOLVING = Symbol("asked by this plugin");
