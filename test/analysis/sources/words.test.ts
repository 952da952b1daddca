// The words that users read name what users know: no section of a specification that they never saw.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { describeField } from "../../../server/analysis/features/describe.ts";
import { rulePage } from "../../../server/analysis/features/rule-page.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { AUTH_TYPES, fieldsOf } from "../../../spec/auth-types.ts";
import { root } from "../../support/packs.ts";

const INTERNAL = /auth-spec|sdk-facts/;

const below = (folder: string, extension: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(extension) && !name.includes("node_modules"))
    .map((name) => join(folder, name));

/** What a program can show: its texts, without the comments, and without where a fact is from, which nobody is shown. */
function textsOf(path: string): readonly string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === "source") return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.Latest, true));
  return texts;
}

describe("text for users", () => {
  it("shipped pages contain no internal reference", () => {
    const pages = ["README.md", "CHANGELOG.md", "package.json", ...below("schemas", ".json"), ...below("docs", ".md")];
    assert.ok(pages.length > 60);
    assert.deepEqual(
      pages.filter((path) => INTERNAL.test(readFileSync(join(root, path), "utf8"))),
      [],
    );
  });

  it("messages, the editor, the command line and hovers contain no internal reference", () => {
    const sources = ["server", "client", "cli", "platform", "spec", "protocol", "base", "launch"].flatMap((folder) => below(folder, ".ts"));
    assert.deepEqual(
      sources.flatMap((path) =>
        textsOf(path)
          .filter(
            (text) => INTERNAL.test(text) && !(path === join("server", "analysis", "rules", "field-unknown.ts") && text === "sdk-facts"),
          )
          .map((text) => `${path}: ${text}`),
      ),
      [],
    );
    for (const type of Object.values(AUTH_TYPES))
      for (const scope of ["user", "system"] as const)
        for (const field of fieldsOf(type.name, scope)) assert.doesNotMatch(describeField(field), INTERNAL);
  });

  it("a rule's page begins with the rule's name, in the editor and on the command line", () => {
    for (const rule of RULES) {
      assert.match(rulePage(rule), new RegExp(`^# ${rule.id}\\n`));
      assert.ok(readFileSync(join(root, "docs/rules", `${rule.id}.md`), "utf8").startsWith(rulePage(rule)), rule.id);
    }
  });
});
