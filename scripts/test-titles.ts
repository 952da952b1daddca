// Reads the titles of the repository's tests from their sources and case files, because documents that list tests are compared with them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { defined } from "../base/defined.ts";

/** The endings of suites. CONTRIBUTING.md says which command runs which. */
export const SUITE = /\.(?:test|e2e|deep|deep-e2e)\.ts$/;

export interface TestTitle {
  /** A path from the repository's root, with slashes. */
  readonly file: string;
  /** The title of the nearest suite. Here and in `title`, “…” replaces the expressions of a template. */
  readonly suite?: string;
  readonly title: string;
}

/** Returns the titles in a source, without tests that are skipped, have no body, or are in a skipped suite. */
export function testTitles(file: string, source: string): readonly TestTitle[] {
  const titles: TestTitle[] = [];
  const visit = (node: ts.Node, suite: string | undefined): void => {
    let inside = suite;
    if (ts.isCallExpression(node)) {
      const [first, body] = node.arguments;
      const callee = node.expression.getText();
      const title = first === undefined ? undefined : textOf(first);
      if (callee === "describe.skip") return;
      if (callee === "describe") inside = title ?? suite;
      if (callee === "it" && body !== undefined && title !== undefined) titles.push({ file, title, ...defined({ suite }) });
    }
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), undefined);
  return titles;
}

function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  return undefined;
}

/** Returns the titles of the cases in a case file. */
const caseTitles = (file: string, source: string): readonly TestTitle[] =>
  [...source.matchAll(/^=== (.+)$/gm)].map(([, title = ""]) => ({ file, title }));

/** Returns the titles in the files below test/ that contain a word, by file. */
export function titlesWith(root: string, word: string): readonly TestTitle[] {
  return (
    readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
      .map((name) => `test/${name.replaceAll("\\", "/")}`)
      // Journeys that share a window are in separate files.
      .filter((name) => (SUITE.test(name) || /\.case$|^test\/e2e\/support\/.*\.ts$/.test(name)) && !name.includes("node_modules/"))
      .sort()
      .flatMap((file) => {
        const source = readFileSync(join(root, file), "utf8");
        // Most files do not contain the word, and parsing them is slow.
        return source.includes(word) ? (file.endsWith(".case") ? caseTitles : testTitles)(file, source) : [];
      })
  );
}
