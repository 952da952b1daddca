// What the language server says in words of a source: nothing of them is hidden.
import assert from "node:assert/strict";
import { TextDocument } from "vscode-languageserver-textdocument";
import { toDiagnostic } from "../../server/convert.ts";
import { createPositions } from "../../server/positions.ts";
import { analyse } from "../support/analyse.ts";

const FILE = "/pack/pack.ts";

describe("text of a source, in findings", () => {
  it("direction marks and invisible characters become a sign, and letters and emoji stay", () => {
    // A scope delimiter is quoted as it was written.
    const delimiter = "Bear\u202ereraeB\u200b é 👩‍💻";
    const source = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, scopeDelimiter: ${JSON.stringify(delimiter)} as any });\n`;
    const diagnostics = analyse({ [FILE]: source }).diagnostics(FILE);
    const quoting = diagnostics.filter(({ message }) => message.includes(delimiter));
    assert.notEqual(quoting.length, 0);
    for (const diagnostic of quoting) {
      const { message } = toDiagnostic(
        diagnostic,
        createPositions(() => TextDocument.create("", "", 0, source), "utf-16"),
        () => "",
      );
      assert.ok(typeof message === "string" && message.includes("Bear\ufffdreraeB\ufffd é 👩‍💻"), JSON.stringify(message));
    }
  });
});
