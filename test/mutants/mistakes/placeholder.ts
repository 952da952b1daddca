// Placeholders of Custom parameters, in the authentication's own file and in others.
import { ts } from "ts-morph";
import { fieldOf, initializerOf } from "../pack-syntax.ts";
import { type Mistake, type Mistakes, misspell, over } from "./mistake.ts";

/** The literals, and pieces of templates, with the text. */
function literalsWith(source: ts.SourceFile, text: string): readonly ts.Node[] {
  const literals: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && node.getText().includes(text)) literals.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return literals;
}

export const placeholderMistakes: Mistakes = function* ({ setters, source: tree }, source) {
  const custom = setters.find((setter) => setter.type === "Custom");
  // In the file of the authentication, and in others: a placeholder by template or sum.
  const shapes = [...source.matchAll(/\{\{(\w[\w.-]*)-("\s*\+\s*[\w.]+\s*\+\s*"|\$\{[\w.]+\})\}\}/g)];
  for (const match of shapes) {
    const [whole, name = "", token = ""] = match;
    const at = { start: match.index, end: match.index + whole.length };
    const broken = (mistake: string, text: string, rules = ["placeholder-malformed"]): Mistake => ({
      mistake,
      rules,
      edit: { ...at, text },
    });
    yield broken("placeholder misspelt", `{{${misspell(name)}-${token}}}`, ["placeholder-undeclared"]);
    yield broken("placeholder of one brace", `{${name}-${token}}`);
    // Beside what is not known, a brace may belong to that.
    const isAlone =
      /^["'`]/.test(source.slice(at.end)) &&
      /["'`][^{}"'`]*$/.test(source.slice(0, at.start)) &&
      !/body.*$/.test(source.slice(0, at.start));
    if (isAlone) yield broken("placeholder with a third brace", `{{${name}-${token}}}}`);
    const quoted = { start: at.start - 1, end: at.end + 1 };
    if (/^(["`']).*\1$/s.test(source.slice(quoted.start, quoted.end)) && /headers: \{[^{}]*$/.test(source.slice(0, quoted.start)))
      yield {
        mistake: "placeholder in base64",
        rules: ["placeholder-malformed"],
        edit: { ...quoted, text: `btoa(${source.slice(quoted.start, quoted.end)})` },
      };
    yield broken("placeholder that is not closed", `{{${name}-${token}}`);
    yield broken("placeholder with blanks", `{{ ${name}-${token} }}`);
    yield broken("placeholder with another sign", `{{${name}_${token}}}`);
    yield broken("placeholder without the token", `{{${name}}}`);
    yield broken("placeholder with a word for the token", `{{${name}-invocationToken}}`);
  }
  if (custom === undefined) return;
  const params = initializerOf(custom.field("params"));
  if (params === undefined || !ts.isArrayLiteralExpression(params)) return;
  yield {
    mistake: "param that nobody uses",
    rules: ["custom-param-unused"],
    edit: { start: params.getStart() + 1, end: params.getStart() + 1, text: ' { name: "unused_one", description: "" },' },
  };
  const typeValue = initializerOf(custom.field("type"));
  if (typeValue && shapes.length > 0) {
    const edit = over(typeValue, typeValue.getText().replace(/Custom$/, "WebBasic"));
    yield { mistake: "placeholders without Custom", rules: ["placeholder-wrong-type"], edit, on: literalsWith(tree, "{{") };
  }
  for (const entry of params.elements) {
    const name = ts.isObjectLiteralExpression(entry) ? initializerOf(fieldOf(entry, "name")) : undefined;
    if (name && ts.isStringLiteral(name) && source.includes(`{{${name.text}-`))
      yield {
        mistake: "param renamed in the declaration alone",
        rules: ["placeholder-undeclared"],
        edit: over(name, JSON.stringify(`${name.text}_2`)),
        on: literalsWith(tree, `{{${name.text}-`),
      };
  }
};
