// The list of all messages for translators, `l10n/bundle.l10n.json`, read from the sources: what stands in t`…`. The editor's own tool
// for it reads no tag that is imported by name.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";

/** Rooms whose messages a user of the editor sees. */
const ROOMS = ["spec", "protocol", "server", "platform", "client"];

/** As @vscode/l10n makes the key of a tagged template: {0} for the first value, and so on. */
export function messagesIn(file: string, source: string): readonly string[] {
  const messageKeys: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "t") {
      const { template } = node;
      messageKeys.push(
        ts.isNoSubstitutionTemplateLiteral(template)
          ? template.text
          : template.head.text + template.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`).join(""),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return messageKeys;
}

/** Message → message, in the order of the alphabet. */
export function messages(root: string): Readonly<Record<string, string>> {
  const all = ROOMS.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => {
        const source = readFileSync(join(root, room, name), "utf8");
        return source.includes('from "@vscode/l10n"') ? messagesIn(name, source) : [];
      }),
  );
  return Object.fromEntries([...new Set(all)].sort().map((message) => [message, message]));
}
