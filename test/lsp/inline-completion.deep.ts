// Whole configurations as ghost text behind `({`, as an editor shows and takes them.
import assert from "node:assert/strict";
import type { InlineCompletionItem } from "vscode-languageserver/node";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { edited, HEAD } from "../support/lsp-editing.ts";

const FILE = "file:///pack/pack.ts";
const GITHUB = HEAD.replace("example.com", "github.com");
const SNIPPETS = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };

describe("ghost text", () => {
  let client: LspClient | undefined;
  afterEach(() => client?.stop());

  /** At `|`: the texts that come of taking each. */
  async function offered(
    marked: string,
    capabilities: object,
  ): Promise<{ items: readonly InlineCompletionItem[]; insertedTexts: readonly string[] }> {
    const now = await startServer({ capabilities });
    client = now;
    const offset = marked.indexOf("|");
    const text = marked.replace("|", "");
    const before = marked.slice(0, offset).split("\n");
    now.open(FILE, text);
    const items = (await now.connection.sendRequest("textDocument/inlineCompletion", {
      textDocument: { uri: FILE },
      position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 },
      context: { triggerKind: 2 },
    })) as InlineCompletionItem[];
    const insertedTexts = items.map(({ range, insertText }) => {
      const newText = typeof insertText === "string" ? insertText : insertText.value;
      assert.ok(range);
      return edited(text, [{ range, newText }]);
    });
    return { items, insertedTexts };
  }

  it("an empty configuration gets each type, and providers with a declared domain", async () => {
    const { insertedTexts, items } = await offered(`${GITHUB}pack.setUserAuthentication({|});\n`, SNIPPETS);
    assert.equal(insertedTexts[0], `${GITHUB}pack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n});\n`);
    assert.ok(insertedTexts.some((text) => text.includes("github.com/login/oauth")));
    assert.ok(!insertedTexts.some((text) => text.includes("gitlab.com")));
    assert.ok(items.some(({ insertText }) => typeof insertText !== "string" && insertText.value.includes("$1")));
  });

  it("ghost text after Enter has lines of its own, with their indentation", async () => {
    const { insertedTexts, items } = await offered(`${HEAD}pack.setUserAuthentication({\n  |\n});\n`, SNIPPETS);
    const custom = items.findIndex(({ insertText }) => typeof insertText !== "string" && insertText.value.includes("WebBasic"));
    assert.equal(insertedTexts[custom], `${HEAD}pack.setUserAuthentication({\n  type: coda.AuthenticationType.WebBasic,\n});\n`);
    // What is replaced begins the text that replaces it: else an editor shows no ghost of it.
    assert.ok(items.every(({ insertText }) => (typeof insertText === "string" ? insertText : insertText.value).startsWith("  ")));
  });

  it("indented code, or a client without snippets, gets plain indented text", async () => {
    for (const [marked, capabilities] of [
      [`${HEAD}export function setUp() {\n  pack.setUserAuthentication({|});\n}\nsetUp();\n`, SNIPPETS],
      [`${HEAD}export function setUp() {\n  pack.setUserAuthentication({|});\n}\nsetUp();\n`, {}],
    ] as const) {
      const { insertedTexts, items } = await offered(marked, capabilities);
      assert.ok(items.every(({ insertText }) => typeof insertText === "string" && !insertText.includes("$1")));
      assert.match(insertedTexts[0] ?? "", /\n {2}pack\.setUserAuthentication\(\{\n {4}type: coda\.AuthenticationType\.\w+,\n {2}\}\);\n/);
      await client?.stop();
    }
    client = undefined;
  });

  it("ghost text appears nowhere else", async () => {
    for (const marked of [
      `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, | });\n`,
      `${HEAD}pack.setUserAuthentication(|);\n`,
      `${HEAD}pack.addFormula({|});\n`,
      `${HEAD}const a = {|};\n`,
      'import { newPack } from "@codahq/packs-sdk";\nexport const pack = newPack();\npack.setUserAuthentication({|});\n',
    ]) {
      assert.deepEqual((await offered(marked, SNIPPETS)).items, [], marked);
      await client?.stop();
    }
    client = undefined;
  });
});
