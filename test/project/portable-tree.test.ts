// The tree on other systems: what a checkout, a folder with a blank in its name, or Windows would break.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { embeddedUnavailable } from "../../scripts/embedded/install.ts";
import { shellCommand } from "../../scripts/shell-command.ts";
import { root } from "../support/packs.ts";

const git = (...args: readonly string[]): readonly string[] =>
  spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
    .stdout.split("\n")
    .filter(Boolean);
const tracked = git("ls-files", "--cached", "--others", "--exclude-standard");

/** The arguments of every import() that is no text. */
function computedImports(source: string): readonly string[] {
  const specifiers: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier !== undefined && !ts.isStringLiteralLike(specifier)) specifiers.push(specifier.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("x.ts", source, ts.ScriptTarget.Latest, true));
  return specifiers;
}

describe("the tree on other systems", () => {
  it("files are checked out with the same line ends everywhere", () => {
    const wrong = git("ls-files", "--eol").filter((line) => !/attr\/text=auto eol=lf/.test(line) || /^i\/(?:crlf|mixed)/.test(line));
    assert.deepEqual(wrong, []);
  });

  it("computed files are imported by file URL, since C:\\ is no scheme", () => {
    // What the probes import by name are modules of Node.
    const sources = tracked.filter(
      (path) =>
        !path.startsWith("test/support/escapes/") && /^(?:scripts|test|platform|client|cli|server|launch)\/.*\.(?:ts|mts|mjs)$/.test(path),
    );
    const paths = sources.flatMap((path) =>
      computedImports(readFileSync(join(root, path), "utf8"))
        .filter((specifier) => !/\.href$|^import\.meta\.resolve\(/.test(specifier))
        .map((specifier) => `${path}: import(${specifier})`),
    );
    assert.deepEqual(paths, []);
    assert.deepEqual(computedImports('import("a"); import(join(folder, name)); import(pathToFileURL(x).href);'), [
      "join(folder, name)",
      "pathToFileURL(x).href",
    ]);
  });

  it("VS Code and npm start on Windows from folders with a space", () => {
    const args = ["--wait", "--extensionDevelopmentPath=C:\\My Packs", "C:\\My Packs\\examples\\"];
    assert.deepEqual(shellCommand("code", args, "win32"), {
      command: "code",
      args: ['"--wait"', '"--extensionDevelopmentPath=C:\\My Packs"', '"C:\\My Packs\\examples\\\\"'],
      shell: true,
    });
    assert.deepEqual(shellCommand("code", args, "linux"), { command: "code", args, shell: false });
  });

  it("systems without the editor in the browser are named", () => {
    assert.equal(embeddedUnavailable("linux", "x64"), undefined);
    for (const [platform, arch] of [
      ["win32", "x64"],
      ["darwin", "arm64"],
      ["linux", "arm64"],
    ] as const)
      assert.match(embeddedUnavailable(platform, arch) ?? "", new RegExp(`${platform} ${arch}`));
  });
});
