// Endpoints of the account's own: where they come from, and what is made of them.
import { ts } from "ts-morph";
import { fieldOf, initializerOf, type PackSyntax } from "../pack-syntax.ts";
import { around, isSpread, type Mistakes, over, own, spanOf, withField, without } from "./mistake.ts";

export const endpointMistakes: Mistakes = function* ({ setters, domains, fetches, source: tree }, source) {
  for (const setter of setters) {
    if (!own(setter) || isSpread(setter)) continue;
    const { object } = setter;
    const requires = setter.field("requiresEndpointUrl");
    const steps = initializerOf(setter.field("postSetup"));
    const endpointDomain = initializerOf(setter.field("endpointDomain"));
    if (setter.type !== "OAuth2")
      yield { mistake: "endpointKey without OAuth2", rules: ["endpoint-key-not-oauth2"], edit: withField(object, 'endpointKey: "site"') };
    if (endpointDomain && ts.isStringLiteral(endpointDomain)) {
      yield {
        mistake: "scheme in endpointDomain",
        rules: ["endpoint-domain-form"],
        edit: over(endpointDomain, JSON.stringify(`https://${endpointDomain.text}`)),
      };
      yield {
        mistake: "wildcard in endpointDomain",
        rules: ["endpoint-domain-form"],
        edit: over(endpointDomain, JSON.stringify(`*.${endpointDomain.text}`)),
      };
      yield {
        mistake: "path in endpointDomain",
        rules: ["endpoint-domain-form"],
        edit: over(endpointDomain, JSON.stringify(`${endpointDomain.text}/api`)),
      };
      if (domains.length > 0)
        yield {
          mistake: "endpointDomain elsewhere",
          rules: ["endpoint-domain-undeclared"],
          edit: over(endpointDomain, JSON.stringify(`not${endpointDomain.text}`)),
        };
    } else if (
      requires === undefined &&
      steps === undefined &&
      domains[0] &&
      domains.length === 1 &&
      setter.field("endpointKey") === undefined
    )
      yield {
        mistake: "endpointDomain without an endpoint",
        rules: ["endpoint-domain-unused"],
        edit: withField(object, `endpointDomain: ${domains[0].literal.getText()}`),
      };
    const uses = /\bcontext\.endpoint\b(?!\s*[?)])/.test(source) || fetches.some(({ url }) => url?.text.startsWith("/"));
    if (requires && setters.length === 1 && uses && setter.field("endpointKey") === undefined && setter.field("postSetup") === undefined) {
      const edit = without(requires, source);
      yield { mistake: "no source of the endpoint", rules: ["endpoint-without-source"], edit, on: endpointUses(tree, fetches) };
    }
    if (steps && ts.isArrayLiteralExpression(steps)) {
      const [step] = steps.elements;
      if (requires === undefined)
        yield {
          mistake: "two sources of the endpoint",
          rules: ["endpoint-several-sources", "oauth2-manual-endpoint"],
          edit: withField(object, "requiresEndpointUrl: true"),
          where: { start: object.getStart(), end: object.end + 30 },
        };
      if (step && ts.isObjectLiteralExpression(step)) {
        for (const property of step.properties) {
          const edit = without(property, source);
          yield {
            mistake: `step without ${property.name?.getText()}`,
            rules: ["set-endpoint-incomplete"],
            edit,
            where: { start: step.getStart(), end: step.end },
          };
        }
        const options = fieldOf(step, "getOptions");
        if (options?.name)
          yield { mistake: "getOptionsFormula", rules: ["field-deprecated"], edit: over(options.name, "getOptionsFormula") };
      }
      const guard = findGuard(tree);
      if (guard) {
        const edit = { ...spanOf(guard), text: "" };
        yield { mistake: "no guard before the choice", rules: ["endpoint-before-selection"], edit, where: around(setter, edit) };
      }
      if (
        setters.length === 1 &&
        requires === undefined &&
        setter.field("endpointKey") === undefined &&
        fetches.some(({ url }) => url?.text.startsWith("/"))
      ) {
        const property = setter.field("postSetup");
        if (property)
          yield {
            mistake: "no source of the endpoint",
            rules: ["endpoint-without-source"],
            edit: without(property, source),
            on: endpointUses(tree, fetches),
          };
      }
    }
  }
};

/** `if (!context.endpoint) { return …; }`. */
function findGuard(source: ts.SourceFile): ts.IfStatement | undefined {
  let guard: ts.IfStatement | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node) && /^!\s*context\.endpoint$/.test(node.expression.getText())) guard ??= node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return guard;
}

/** Where something is made of the endpoint: its uses, and relative URLs. */
function endpointUses(source: ts.SourceFile, fetches: PackSyntax["fetches"]): readonly ts.Node[] {
  const uses: ts.Node[] = fetches.flatMap(({ url }) => (url?.text.startsWith("/") ? [url] : []));
  const visit = (node: ts.Node): void => {
    // The use itself, or the local name that stands for it.
    if (ts.isIdentifier(node) && node.text === "endpoint") uses.push(node);
    if (ts.isTemplateExpression(node) && node.head.text.startsWith("/")) uses.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}
