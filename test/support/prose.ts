// The texts of a source that may be for people: what its words are like, and whether they can be translated, is looked at in tests.
import { ts } from "ts-morph";

export interface Prose {
  /** With … for each value that is put in. */
  readonly text: string;
  /** In t`…`. */
  readonly isMessage: boolean;
  /** Between the tags of a template of lit, or in an attribute that is read to people. */
  readonly isMarkup: boolean;
  /** Of a rule: written into its page. */
  readonly isDocumentation: boolean;
}

/** Templates that hold code. */
const CODE = new Set(["pack", "source", "css", "svg"]);

export function proseIn(file: string, source: string): readonly Prose[] {
  const passages: Prose[] = [];
  const visit = (node: ts.Node, isDocumentation: boolean): void => {
    const add = (text: string, { isMessage = false, isMarkup = false } = {}): void =>
      void passages.push({ text, isMessage, isMarkup, isDocumentation });
    const visitValues = (template: ts.TemplateLiteral): void => {
      if (ts.isTemplateExpression(template)) for (const { expression } of template.templateSpans) visit(expression, isDocumentation);
    };
    if (ts.isPropertyAssignment(node) && node.name.getText() === "source") return;
    // A list that is written as words.
    if (ts.isPropertyAccessExpression(node) && node.name.text === "split") return;
    if (ts.isTaggedTemplateExpression(node)) {
      const tag = node.tag.getText();
      if (tag === "html") for (const text of wordsOf(node.template)) add(text, { isMarkup: true });
      else if (!CODE.has(tag)) add(textOf(node.template), { isMessage: tag === "t" });
      visitValues(node.template);
    } else if (ts.isStringLiteral(node) || ts.isTemplateLiteral(node)) {
      if (!isName(node)) add(textOf(node));
      if (ts.isTemplateExpression(node)) visitValues(node);
    } else {
      const ofRule = ts.isPropertyAssignment(node) && ["docs", "examples"].includes(node.name.getText());
      ts.forEachChild(node, (child) => visit(child, isDocumentation || ofRule));
    }
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), false);
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
