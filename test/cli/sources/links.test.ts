// `check` prints and mends what it reads, and whoever wrote a repository chose where its links lead: none is followed out of the checkout.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FORMATS } from "../../../cli/check/check-options.ts";
import { callCli } from "../../support/call-cli.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const BAD = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });\n`;
const GOOD = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n`;
const FIXED = BAD.replace("WebBsic", "WebBasic");
const KEY = "-----BEGIN canary PRIVATE KEY-----\ncanary\n";

describe("links in a check", () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-links-")));
    lay({
      "ws/pack.ts": GOOD,
      "outside/key": KEY,
      "outside/pack.ts": BAD,
    });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Path → text, or where a link leads. */
  const lay = (files: Readonly<Record<string, string | { readonly link: string }>>): void => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      if (typeof content === "string") writeFileSync(join(folder, name), content);
      else symlinkSync(content.link, join(folder, name));
    }
  };
  const check = (args: readonly string[] = [], cwd = "ws") => callCli(["check", ...args], { cwd: join(folder, cwd) });
  const all = ({ out, err }: { readonly out: string; readonly err: string }): string => out + err;

  /** The key is a part of the pack, whose syntax is reported. */
  const layKey = (): void => lay({ "ws/key.ts": { link: "../outside/key" }, "ws/index.ts": `import "./key";\n${GOOD}` });

  for (const format of FORMATS)
    it(`a link out of the checkout is named, without anything that it leads to (${format})`, async () => {
      layKey();
      const outcome = await check(["--format", format]);
      assert.doesNotMatch(all(outcome), /canary/);
      assert.equal(outcome.err, `pack-auth: key.ts is not checked: it is a link that leaves ${join(folder, "ws")}.\n`);
      assert.equal(outcome.code, 0);
    });

  for (const [what, args, cwd] of [
    ["named itself", ["key.ts", "index.ts"], "ws"],
    ["matched by a glob", ["*.ts"], "ws"],
    ["in a folder that is named from elsewhere", ["../ws"], "outside"],
    ["named from elsewhere", ["../ws/key.ts", "../ws/index.ts"], "outside"],
  ] as const)
    it(`a link out of a folder without git is not followed when ${what}`, async () => {
      layKey();
      const outcome = await check(args, cwd);
      assert.doesNotMatch(all(outcome), /canary/);
      assert.match(outcome.err, /key\.ts is not checked: it is a link that leaves /);
      assert.equal(outcome.code, 0);
    });

  it("--fix does not write through a link out of the checkout, and naming it fails", async () => {
    lay({ "ws/bad.ts": { link: "../outside/pack.ts" }, "ws/own.ts": BAD });
    const outcome = await check(["--fix"]);
    assert.equal(outcome.code, 0, all(outcome));
    assert.deepEqual(
      ["outside/pack.ts", "ws/own.ts"].map((file) => readFileSync(join(folder, file), "utf8")),
      [BAD, FIXED],
    );
    assert.equal((await check(["bad.ts", "--fix"])).code, 2);
    assert.equal(readFileSync(join(folder, "outside/pack.ts"), "utf8"), BAD);
  });

  for (const [what, files] of Object.entries({
    "the folder of an import": {
      "ws/pack.ts": `import { HOST } from "./lib/config";\n${HEAD.replace('"example.com"', "HOST")}`,
      "ws/lib": { link: "../outside" },
      "outside/config.ts": 'export const HOST = "https://canary.example/";\n',
    },
    "a package": {
      "ws/pack.ts": `import { HOST } from "other";\n${HEAD.replace('"example.com"', "HOST")}`,
      "ws/node_modules/other": { link: "../../outside" },
      "outside/package.json": '{ "name": "other", "main": "config.ts" }',
      "outside/config.ts": 'export const HOST = "https://canary.example/";\n',
    },
    "the settings": { "ws/.packauthrc.json": { link: "../outside/settings.json" }, "outside/settings.json": '{ "canary": 1 }' },
  }))
    it(`a link out of the checkout is not read as ${what}`, async () => {
      lay({ "ws/.git/HEAD": "ref: refs/heads/main\n", ...files });
      const outcome = await check();
      assert.doesNotMatch(all(outcome), /canary/);
      assert.equal(outcome.code, 0, all(outcome));
    });

  it("links that stay in the checkout are followed, also when a link reaches the checkout", async () => {
    lay({
      "ws/.git/HEAD": "ref: refs/heads/main\n",
      "ws/shared/bad.ts": BAD,
      "ws/shared/config.ts": 'export const HOST = "https://www.example.com/";\n',
      "ws/packs/crm/link.ts": { link: "../../shared/bad.ts" },
      "ws/packs/crm/lib": { link: "../../shared" },
      "ws/packs/crm/pack.ts": `import { HOST } from "./lib/config";\n${HEAD.replace('"example.com"', "HOST")}`,
      short: { link: "ws" },
    });
    for (const cwd of ["ws/packs/crm", "short/packs/crm"]) {
      const { code, out } = await check([], cwd);
      assert.equal(code, 1);
      assert.match(out, /^link\.ts:4:60 error auth-type-unknown$/m);
      assert.match(out, /^pack\.ts:4:23 error network-domain-form$/m);
    }
    await check(["--fix"], "short/packs/crm");
    assert.equal(readFileSync(join(folder, "ws/shared/bad.ts"), "utf8"), FIXED);
  });
});
