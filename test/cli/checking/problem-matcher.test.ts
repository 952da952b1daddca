// The problem matcher $pack-auth, held to what the command line really prints.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCli } from "../../support/call-cli.ts";
import { root } from "../../support/packs.ts";

interface Pattern {
  readonly regexp: string;
  readonly [group: string]: string | number;
}

describe("the problem matcher", function () {
  this.timeout(30_000);
  const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly contributes: {
      readonly problemMatchers: readonly [{ readonly pattern: readonly [Pattern, Pattern]; readonly severity: string }];
    };
  };
  const [{ pattern, severity }] = contributes.problemMatchers;

  it("each finding of a check is matched with its place, severity, rule and message", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pack auth-"));
    try {
      const type = "type: coda.AuthenticationType.OAuth2, tokenPrefx: 'x', authorizationUrl: 'http://a.example'";
      const source = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({ ${type} });\n`;
      writeFileSync(join(folder, "a pack.ts"), source);
      const check = async (format: string): Promise<string> => (await callCli(["check", ".", "--format", format], { cwd: folder })).out;
      const lines = (await check("pretty")).split("\n");
      const matched = lines.flatMap((line, index) => {
        const [at, text] = [new RegExp(pattern[0].regexp).exec(line), new RegExp(pattern[1].regexp).exec(lines[index + 1] ?? "")];
        return at === null || text === null ? [] : [{ at, text }];
      });
      const part = (match: RegExpExecArray, of: Pattern, name: string): string | undefined => match[Number(of[name])];
      const { files } = JSON.parse(await check("json")) as {
        readonly files: readonly {
          readonly path: string;
          readonly diagnostics: readonly {
            readonly rule: string;
            readonly message: string;
            readonly severity: string;
            readonly range: { readonly start: { readonly line: number; readonly character: number } };
          }[];
        }[];
      };
      const expected = files.flatMap(({ diagnostics }) =>
        diagnostics.map(({ rule, message, severity: how, range: { start } }) => [
          "a pack.ts",
          String(start.line + 1),
          String(start.character + 1),
          how === "information" ? "note" : how,
          rule,
          message,
        ]),
      );
      assert.ok(expected.length >= 4);
      assert.ok(expected.some(([, , , how]) => how === "note"));
      assert.deepEqual(
        matched.map(({ at, text }) => [
          ...["file", "line", "column", "severity", "code"].map((name) => part(at, pattern[0], name)),
          part(text, pattern[1], "message"),
        ]),
        expected,
      );
      // The editor knows error and warning by their names, and takes this for all others.
      assert.equal(severity, "info");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
