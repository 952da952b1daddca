// Every message that a user of the editor sees is one that can be translated. The journey in another language shows the rest: short ones.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { config, t } from "@vscode/l10n";
import { ts } from "ts-morph";
import { notInTime } from "../platform/process/process-limits.ts";
import { messagesIn } from "../scripts/messages.ts";
import { root } from "./support/packs.ts";
import { proseIn } from "./support/prose.ts";
import { pseudo } from "./support/pseudo-language.ts";

const ROOMS = ["spec", "server", "platform", "client"];

/** What stays in English, and why. */
const ENGLISH: readonly (readonly [why: string, files: RegExp])[] = [
  ["the pack's own process speaks to the host, and the realm is code in strings", /^platform\/runner\//],
  [
    "the sandbox's process answers on the wire: error_description is ASCII (RFC 6749, 4.1.2.1)",
    /^platform\/sandbox\/(?!launch|answers|answer-of)/,
  ],
  ["a thread that names its failures by code", /^platform\/mcp\/thread/],
  ["code that is written into a new pack", /^platform\/pack-template/],
  ["the rules' pages are documentation, as docs/ is", /^server\/analysis\/features\/rule-page/],
  ["what the language server says to whoever starts it by hand", /^server\/(main|localize|connection)\.ts$/],
  [
    "symbols and tokens of a grammar, which only code reads",
    /^(server\/handlers\/commands|platform\/bodies\/json-grammar|platform\/process\/parse-long)\.ts$/,
  ],
  ["a verdict of a drill is a word of the report; the panel has its own for each", /^platform\/drill\/judge\.ts$/],
  ["generated", /^(server\/analysis\/(rules\/index|domains\/shared-hosts)|spec\/provider-catalogue)\.ts$/],
  ["names of providers", /^spec\/providers\.ts$/],
];

/** Texts that are no messages, wherever they stand. */
const NO_MESSAGE: readonly RegExp[] = [
  // Code and comments that are written into a source, names in lists, parts of a protocol.
  /^\s*\/\/ /,
  /=>|\{\n|;\n|^\s*[<{[]/,
  /realm="|^Bearer /,
  /^[\w-]+(?: [\w-]+){6,}$/,
  /^[-\w]+-src /,
  // Errors of Node and of this code itself, for whoever reads a stack; a value of a fix.
  /^Code generation from strings|^there is always|^another process took the lock|^"Choose your site"$/,
  // JSON-RPC's own word for an error, which goes to a server.
  /^Method not found$/,
  // A mark of the mask, which must be the same everywhere.
  /^\(nested more than/,
];

/** Three words, or fewer with one that only sentences have. */
const PROSE = /[a-z]+,? [a-z]+,? [a-z]+|(?:^|[ (])(?:an?|the|of|one|with|also) [a-z…]/i;

/** What is prose in a source and is not in t`…`; of the panel, whatever stands between its tags. */
const untranslatable = (file: string, source: string): readonly string[] =>
  proseIn(file, source).flatMap(({ text, isMessage, isMarkup, isDocumentation }) => {
    const isProse = isMarkup || (PROSE.test(text) && !NO_MESSAGE.some((pattern) => pattern.test(text)));
    return isProse && !isMessage && !isDocumentation ? [text] : [];
  });

/** Words that a message is made of and that are not messages: it would be half in English. Names that are written as code stay. */
function untranslatedParts(file: string, source: string): readonly string[] {
  const parts: string[] = [];
  const isMessage = (node: ts.Node): boolean => ts.isTaggedTemplateExpression(node) && node.tag.getText() === "t";
  const visit = (node: ts.Node, inMessage: boolean): void => {
    const choices = choicesOf(node);
    if (inMessage || choices.some(isMessage))
      for (const choice of choices)
        if (ts.isStringLiteralLike(choice) && /^ ?[a-z][a-z]+(?: [a-z]+)* ?$/i.test(choice.text) && !/[a-z][A-Z]/.test(choice.text))
          parts.push(choice.text);
    ts.forEachChild(node, (child) => visit(child, inMessage || isMessage(node)));
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), false);
  return parts;
}

/** What an expression may come to by `?:`, `||` or `??`, and what a list is joined by. */
function choicesOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse];
  if (ts.isBinaryExpression(node) && /^(\|\||\?\?)$/.test(node.operatorToken.getText())) return [node.left, node.right];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === "join")
    return node.arguments;
  return [];
}

const sources = ROOMS.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .map((name) => `${room}/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".ts") && !ENGLISH.some(([, files]) => files.test(name))),
);

describe("messages in the editor's language", () => {
  it("are all that is prose in the sources", () => {
    const left = sources.flatMap((file) => untranslatable(file, readFileSync(join(root, file), "utf8")).map((text) => `${file}: ${text}`));
    assert.equal(left.join("\n"), "");
  });

  it("are made of nothing that is not one itself", () => {
    const left = sources.flatMap((file) =>
      untranslatedParts(file, readFileSync(join(root, file), "utf8")).map((text) => `${file}: ${text}`),
    );
    assert.equal(left.join("\n"), "");
  });

  it("are missed where one is not wrapped", () => {
    assert.deepEqual(
      untranslatedParts("a.ts", 't`The ${is ? "table" : t`formula`} ${x}`; t`${a || "none"}, ${b.join(" or ")}`; is ? "a" : "bc"'),
      ["table", "none", " or "],
    );
    assert.deepEqual(untranslatable("a.ts", 'show("Sign in once more."); show(t`Sign in once more.`);'), ["Sign in once more."]);
    assert.deepEqual(untranslatable("a.ts", 'html`<a title="Open it">${x}</a> <b>Run</b>`'), ["Run", "Open it"]);
  });

  it("say in full what a pack did not do in time", () => {
    const listed = Object.keys(JSON.parse(readFileSync(join(root, "l10n/bundle.l10n.json"), "utf8")) as Record<string, string>);
    config({ contents: Object.fromEntries(listed.map((message) => [message, pseudo(message)])) });
    try {
      for (const task of ["start", "prepare", "load", "execute", "answer"] as const)
        assert.doesNotMatch(notInTime(task, 1_000).message, /[a-z]{2}/i);
    } finally {
      config({ contents: {} });
    }
  });

  it("are listed for translators with their values as {0}, {1}", () => {
    const listed = JSON.parse(readFileSync(join(root, "l10n/bundle.l10n.json"), "utf8")) as Record<string, string>;
    assert.ok(Object.keys(listed).length > 1_000);
    assert.deepEqual(messagesIn("a.ts", "t`Run ${a} of ${b}: ${t`all`}`"), ["Run {0} of {1}: {2}", "all"]);
  });

  it("have all of their values filled in", () => {
    const listed = JSON.parse(readFileSync(join(root, "l10n/bundle.l10n.json"), "utf8")) as Record<string, string>;
    const values = Array.from({ length: 20 }, (_, index) => `value ${index}`);
    assert.deepEqual(
      Object.keys(listed).filter((message) => /\{\d+\}/.test(t(message, ...values))),
      [],
    );
  });

  it("are never a value alone, which nobody can translate", () => {
    const listed = JSON.parse(readFileSync(join(root, "l10n/bundle.l10n.json"), "utf8")) as Record<string, string>;
    assert.deepEqual(
      Object.keys(listed).filter((message) => !/[a-z]/i.test(message.replace(/\{\d+\}/g, ""))),
      [],
    );
  });

  it("keep values, links, icons and addresses in the tests' own language", () => {
    assert.equal(pseudo("See {0} at https://a.example/b."), `${pseudo("See ")}{0}${pseudo(" at ")}https://a.example/b.`);
    assert.match(pseudo("[Run](command:packAuth.runFormula) $(key)"), /^\[[^a-z]+\]\(command:packAuth\.runFormula\) \$\(key\)$/i);
  });

  it("come from the manifest through package.nls.json, the product's name aside", () => {
    const manifest = readFileSync(join(root, "package.json"), "utf8");
    const texts = JSON.parse(readFileSync(join(root, "package.nls.json"), "utf8")) as Record<string, string>;
    const messageKeys = [...manifest.matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key ?? "");
    assert.deepEqual([...new Set(messageKeys)].sort(), Object.keys(texts).sort());
    const { contributes } = JSON.parse(manifest) as { contributes: object };
    const prose = [
      ...JSON.stringify(contributes).matchAll(/"(?:title|description|markdownDescription|name|label|contents|altText)":"([^"%][^"]*)"/g),
    ];
    assert.deepEqual(
      prose.map(([, text]) => text).filter((text) => text !== "Pack Auth" && /^[A-Z].* /.test(text ?? "")),
      [],
    );
  });
});
