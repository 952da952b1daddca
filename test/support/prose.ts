// Finds the strings of a source that people may read, because tests check their wording.
import { ts } from "ts-morph";

/** Tags of templates that contain code. */
const CODE = new Set(["pack", "source", "css", "svg"]);

/** Returns the strings of a source, with … for each expression; for a template of lit, the text between its tags. */
export function proseIn(file: string, source: string): readonly string[] {
  const passages: string[] = [];
  const visit = (node: ts.Node): void => {
    const visitValues = (template: ts.TemplateLiteral): void => {
      if (ts.isTemplateExpression(template)) for (const { expression } of template.templateSpans) visit(expression);
    };
    if (ts.isPropertyAssignment(node) && node.name.getText() === "source") return;
    // A list that is written as a string of words.
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

/** Returns whether the string is compared or is a name, so that no person reads it. */
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
