// What the pages say of the command line, against what it has.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VERBS } from "../../../cli/verbs.ts";
import { callCli } from "../../support/call-cli.ts";
import { root } from "../../support/packs.ts";

const page = (name: string): string => readFileSync(join(root, name), "utf8");

describe("the pages about the command line", () => {
  it("every verb is documented as running the pack's code or not", () => {
    const [, readers = "", runners = ""] =
      /^(.*) read sources and never run them\. (.*) load the pack, and so run its code,$/m.exec(page("docs/command-line.md")) ?? [];
    const named = `${readers} ${runners}`;
    for (const verb of Object.keys(VERBS)) assert.match(named, new RegExp(`\`${verb}\\b`), verb);
    assert.equal(readers, "`check` and `explain`");
  });

  it("the page about running begins with a run that works in its example", async () => {
    const [, line = ""] = /```sh\npack-auth run ([^\n#]*)/.exec(page("docs/running.md")) ?? [];
    assert.match(line, /examples\//);
    const { code, out, err } = await callCli(["run", ...line.trim().split(" ")], { cwd: root });
    assert.equal(code, 0, err);
    assert.match(out, /Buy milk/);
  }).timeout(60_000);

  it("the README explains what to do without a keyring, and what that means", () => {
    const readme = page("README.md");
    assert.match(readme, /without a keyring .*`PACK_AUTH_SECRET_STORE=file`.*encrypted.*`PACK_AUTH_PASSPHRASE`/);
  });
});
