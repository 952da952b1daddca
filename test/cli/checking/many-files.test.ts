// A check of many files: what is found in each, and the order, are those of checks of one pack alone.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callCli } from "../../support/call-cli.ts";
import { root } from "../../support/packs.ts";

const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples/packs/todoist");
const HEAD = `import * as coda from "@codahq/packs-sdk";\n`;
const MISTAKE = `export const auth = { type: coda.AuthenticationType.OAuth2, authorizationUrl: "http://acme.example/a" };\n`;

interface JsonReport {
  readonly files: readonly { readonly path: string; readonly diagnostics: readonly { readonly rule: string }[] }[];
}

describe("a check of many files", function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-many-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const check = (...args: readonly string[]) => callCli(["check", "--format", "json", ...args], { cwd: folder });
  const filesOf = (out: string): JsonReport["files"] => (JSON.parse(out) as JsonReport).files;

  it("each file gets the findings of its pack checked alone, in the order of paths", async () => {
    for (let pack = 0; pack < 3; pack++) {
      cpSync(samples, join(folder, `${pack}/samples`), { recursive: true });
      for (let copy = 0; copy < 40; copy++)
        write(
          `${pack}/mine/${copy}.ts`,
          `${HEAD}export const pack = coda.newPack();\npack.setUserAuthentication({ type: "oauth2", scopes: ["a b"] });\n`,
        );
    }
    const all = await check();
    assert.deepEqual([all.code, all.err], [1, ""]);
    const together = filesOf(all.out);
    assert.ok(together.length > 120);
    const paths = together.map(({ path }) => path);
    assert.deepEqual(paths, paths.toSorted());
    const alone = await Promise.all(["0", "1", "2"].map((pack) => check(pack)));
    assert.deepEqual(
      alone.flatMap(({ out }) => filesOf(out)),
      together,
    );
  });

  it("a shared file gets the findings of its packs, by relative path or by path mapping", async () => {
    write("tsconfig.json", JSON.stringify({ compilerOptions: { paths: { "@shared/*": ["./shared/*"] } } }));
    for (const [name, specifier] of [
      ["near", "../shared/near.js"],
      ["far", "@shared/far"],
    ] as const) {
      write(`shared/${name}.ts`, `${HEAD}${MISTAKE}`);
      write(
        `${name}/pack.ts`,
        `${HEAD}import { auth } from "${specifier}";\nexport const pack = coda.newPack();\npack.setUserAuthentication(auth);\n`,
      );
    }
    for (let pack = 0; pack < 120; pack++) write(`others/${pack}.ts`, `${HEAD}export const pack = coda.newPack();\n`);
    const flagged = filesOf((await check()).out).filter(({ diagnostics }) => diagnostics.some(({ rule }) => rule === "url-insecure"));
    assert.deepEqual(
      flagged.map(({ path }) => path),
      ["shared/far.ts", "shared/near.ts"],
    );
  });

  it("ignored files are left out, and every wrong settings file is named in order", async () => {
    for (const pack of ["a", "b", "c"])
      write(`${pack}/pack.ts`, `${HEAD}export const pack = coda.newPack();\npack.setUserAuthentication({});\n`);
    write(".packauthrc.json", `{ "ignore": ["b"] }`);
    assert.deepEqual(
      filesOf((await check()).out).map(({ path }) => path),
      ["a/pack.ts", "c/pack.ts"],
    );
    write("c/.packauthrc.json", `{ "rule": {} }`);
    write("a/.packauthrc.json", `{ "rules": { "no-such-rule": "off" } }`);
    const { code, out, err } = await check();
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /a\/\.packauthrc\.json:1:.*no-such-rule.*\n.*c\/\.packauthrc\.json:1:/);
  });
});
