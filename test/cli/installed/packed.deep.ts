// What the guides tell to install: until the package is published, the one that is packed from a checkout.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { startServer } from "../../support/lsp-client.ts";
import { nodesAtHand } from "../../support/nodes.ts";
import { installToolkit, root } from "../../support/packs.ts";

const guides = (): readonly string[] => [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addFormula({
  name: "Hello",
  description: "Greets.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "name", description: "Whom." })],
  resultType: coda.ValueType.String,
  execute: async ([name]) => "Hello " + name + ".",
});
`;

describe("the packed command line", function () {
  this.timeout(120_000);

  it("guides install the packed command line, and no name that anyone could claim", () => {
    for (const guide of guides())
      assert.doesNotMatch(
        readFileSync(join(root, guide), "utf8"),
        /\bnpx (?:-\S+ )*pack-auth\b|npm (?:i|install) (?:-\S+ )*pack-auth\b/,
        guide,
      );
    assert.match(readFileSync(join(root, "README.md"), "utf8"), /npm install --global "\$\(npm pack --silent\)"/);
  });

  it("every page that a packed page links to is packed", () => {
    const [{ files }] = JSON.parse(
      execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    ) as readonly [{ readonly files: readonly { readonly path: string }[] }];
    const packed = new Set(files.map(({ path }) => path));
    const isThere = (path: string): boolean =>
      packed.has(path) || [...packed].some((file) => file.startsWith(`${path.replace(/\/$/, "")}/`));
    const missing = [...packed]
      .filter((path) => path.endsWith(".md"))
      .flatMap((path) =>
        [...readFileSync(join(root, path), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
          .filter(([, to = ""]) => !isThere(posix.join(posix.dirname(path), to)))
          .map(([, to]) => `${path}: ${to}`),
      );
    assert.deepEqual(missing, []);
  });

  describe("the installed command line in an empty folder", () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), "pack-auth-packed-"));
      const npm = (...args: readonly string[]): string =>
        execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
      const tarball = npm("pack", "--silent", "--ignore-scripts", "--pack-destination", folder).trim();
      npm("install", "--global", "--offline", "--omit=optional", "--no-audit", "--no-fund", "--prefix", folder, join(folder, tarball));
      mkdirSync(join(folder, "work"));
      installToolkit(join(folder, "work"));
      writeFileSync(join(folder, "work/pack.ts"), PACK);
    });
    after(() => rmSync(folder, { recursive: true }));

    for (const node of nodesAtHand())
      it(`check, explain, run and the language server work on ${node.name}`, async () => {
        const call = (...args: readonly string[]): string =>
          execFileSync(node.path, [join(folder, "bin/pack-auth"), ...args], { cwd: join(folder, "work"), encoding: "utf8" });
        assert.match(call("check"), /0 errors, 0 warnings in 1 file/);
        assert.match(call("explain", "field-missing"), /field-missing/);
        assert.equal(call("run", ".", "Hello", "World").trim(), "Hello World.");
        const client = await startServer({ node: node.path, program: join(folder, "bin/pack-auth-language-server") });
        const uri = pathToFileURL(join(folder, "work/pack.ts")).href;
        client.open(uri, PACK.replace("pack.add", "pack.setUserAuthentication({});\npack.add"));
        const diagnostics = await client.pull(uri);
        await client.stop();
        assert.deepEqual(
          diagnostics.map(({ code }) => code),
          ["auth-type-missing"],
        );
      });
  });
});
