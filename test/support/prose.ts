// The texts of a source that may be for people: tests look at their words.
import { ts } from "ts-morph";

/** Templates that hold code. */
const CODE = new Set(["pack", "source", "css", "svg"]);

/** Returns the texts of a source, with … for each value that is put in; of a template of lit, what is between its tags. */
export function proseIn(file: string, source: string): readonly string[] {
  const passages: string[] = [];
  const visit = (node: ts.Node): void => {
    const visitValues = (template: ts.TemplateLiteral): void => {
      if (ts.isTemplateExpression(template)) for (const { expression } of template.templateSpans) visit(expression);
    };
    if (ts.isPropertyAssignment(node) && node.name.getText() === "source") return;
    // A list that is written as words.
    if (ts.isPropertyAccessExpression(node) && node.name.text === "split") return;
    if (ts.isTaggedTemplateExpression(node)) {
      const tag = node.tag.getText();
      if (tag === "html") passages.push(...wordsOf(node.template));
      else if (!CODE.has(tag)) passages.push(textOf(node.template));
      visitValues(node.template);
    } else if (ts.isStringLiteral(node) || ts.isTemplateLiteral(node)) {
      if (!isName(node)) passages.push(textOf(node));
      if (ts.isTemplateExpression(node)) visitValues(node);
    } else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return passages;
}

const textOf = (node: ts.StringLiteral | ts.TemplateLiteral): string =>
  ts.isTemplateExpression(node) ? node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("") : node.text;

/** What is compared, or names something: no person reads it there. */
const isName = (node: ts.Node, { parent } = node): boolean =>
  ts.isLiteralTypeNode(parent) ||
  ts.isImportDeclaration(parent) ||
  ts.isCaseClause(parent) ||
  (ts.isPropertyAssignment(parent) && parent.name === node) ||
  (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()));

function wordsOf(template: ts.TemplateLiteral): readonly string[] {
  const text = textOf(template);
  const between = text.replace(/<[^>]*>/g, "\n").split("\n");
  const attributes = [...text.matchAll(/\b(?:aria-label|title|placeholder|label|alt)="([^"]*)"/g)].map(([, value]) => value ?? "");
  return [...between, ...attributes].map((each) => each.replace(/&\w+;/g, "").trim()).filter((each) => /[a-z]{2}/i.test(each));
}
