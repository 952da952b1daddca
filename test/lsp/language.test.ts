// The language server in the language of the editor that starts it: a file of messages, as the extension names it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MESSAGES_VARIABLE } from "../../protocol/messages.ts";
import { startServer } from "../support/lsp-client.ts";
import { PSEUDO_LANGUAGE, pseudo, translateExtension } from "../support/pseudo-language.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://acme.example/a" });
`;
const ENGLISH = /^Add tokenUrl/;

describe("the language server in another language", function () {
  this.timeout(30_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-language-"));
    translateExtension(join(folder, "extension"));
    writeFileSync(join(folder, "broken.json"), "{");
  });
  after(() => rmSync(folder, { recursive: true }));

  async function messages(file: string): Promise<readonly string[]> {
    const client = await startServer({ env: { [MESSAGES_VARIABLE]: file } });
    try {
      const uri = "file:///packs/pack.ts";
      client.open(uri, SOURCE);
      return (await client.pull(uri)).map(({ message }) => String(message));
    } finally {
      await client.stop();
    }
  }

  it("writes its messages in it, with what they are about as it is", async () => {
    const file = join(folder, `extension/l10n/bundle.l10n.${PSEUDO_LANGUAGE}.json`);
    const [message = "", ...otherMessages] = await messages(file);
    assert.deepEqual(otherMessages, []);
    assert.ok(message.startsWith(pseudo("Add tokenUrl")), message);
    assert.match(message, /OAuth2/);
  });

  it("stays in English where there is no such file, or none that can be read", async () => {
    for (const file of ["", join(folder, "nothing.json"), join(folder, "broken.json")]) {
      const texts = await messages(file);
      assert.ok(
        texts.some((message) => ENGLISH.test(message)),
        texts.join("\n"),
      );
    }
  });
});
