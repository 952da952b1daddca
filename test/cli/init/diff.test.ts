// The diff that an author reads before anything is written: whoever applies it gets the new text.
import assert from "node:assert/strict";
import { diffLines, edited } from "../../../cli/init/diff.ts";
import { proposal, written } from "../../support/proposals.ts";

const ENTRY = "/pack/pack.ts";

/** Applies a diff without context. */
function applied(lines: readonly string[], before: string): string {
  const former = before.split(/\r?\n/);
  const result: string[] = [];
  let at = 0;
  for (const line of lines.slice(2)) {
    const [, start, count] = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line) ?? [];
    if (start !== undefined) {
      const next = count === "0" ? Number(start) : Number(start) - 1;
      result.push(...former.slice(at, next));
      at = next;
    } else if (line.startsWith("-")) assert.equal(former[at++], line.slice(1));
    else result.push(line.slice(1));
  }
  return [...result, ...former.slice(at)].join("\n");
}

const HEAD = 'import { newPack, AuthenticationType } from "@codahq/packs-sdk";\n';

describe("the diff of a set-up", () => {
  for (const [title, source] of [
    ["a pack with nothing", `${HEAD}export const pack = newPack();\n`],
    ["a file without a line break at its end", `${HEAD}export const pack = newPack();`],
    [
      "several places",
      `${HEAD}export const pack = newPack();\n\npack.addNetworkDomain("b.example"); // b\npack.setSystemAuthentication({\n  type: AuthenticationType.WebBasic,\n});\n\npack.setUserAuthentication({\n  type: AuthenticationType.None,\n});\n// The end.\n`,
    ],
    [
      "code on one line",
      `${HEAD}export const pack = newPack(); pack.addNetworkDomain("b.example"); pack.setUserAuthentication({ type: AuthenticationType.None }); end();\n`,
    ],
  ] as const)
    it(`${title}: the diff makes the new text, with each kind of line end`, () => {
      for (const text of [source, source.replaceAll("\n", "\r\n")]) {
        const [file] = written(ENTRY, proposal("HeaderBearerToken"), { [ENTRY]: text }).files;
        assert.ok(file);
        assert.equal(edited(text, file.edits), file.text);
        const lines = diffLines("pack.ts", text, file.text, file.edits);
        assert.equal(applied(lines, text), file.text.replaceAll("\r\n", "\n"));
        assert.equal(lines.includes("-// The end."), false);
      }
    });

  it("a new file has added lines only", () => {
    assert.deepEqual(diffLines("pack.ts", undefined, "a\nb\n", []), ["--- /dev/null", "+++ pack.ts", "@@ -0,0 +1,2 @@", "+a", "+b"]);
  });
});
