// In a window without packs the extension does nothing but wait for one: no language server, no process, no file. The first sign of a
// pack wakes it.
const assert = require("node:assert/strict");
const { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");
const { below } = require("../support/below.cjs");

/** The command lines of what this extension host has started, and of what those have. */
function processes() {
  // Each process and each thread may end while this looks.
  const threads = (pid) => {
    try {
      return readdirSync(`/proc/${pid}/task`);
    } catch {
      return [];
    }
  };
  const children = (pid) =>
    threads(pid).flatMap((task) => {
      try {
        return readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean);
      } catch {
        return [];
      }
    });
  const started = (pid) => children(pid).flatMap((child) => [child, ...started(child)]);
  return started(process.pid).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  });
}

describe("A window without packs", () => {
  const extension = vscode.extensions.getExtension("pack-auth.pack-auth");
  const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const { dataFolder } = JSON.parse(readFileSync(join(folder, "window.json"), "utf8"));
  const own = () => processes().filter((command) => command.includes(join(extension.extensionPath, "dist")));
  /** What the extension keeps, and its log. */
  const written = () =>
    below(dataFolder).filter(({ path }) => /globalStorage.pack-auth|workspaceStorage.*pack-auth|Pack Auth\.log/.test(path));
  let document;
  // The packs of the tests that follow.
  after(() => {
    cpSync(join(extension.extensionPath, "examples/mistakes"), join(folder, "mistakes"), { recursive: true });
    cpSync(join(extension.extensionPath, "test/support/escapes"), join(folder, "escapes"), { recursive: true });
    symlinkSync(join(extension.extensionPath, "node_modules"), join(folder, "node_modules"), "junction");
  });

  it("the extension is active after the start, before a source is opened", async () => {
    for (let wait = 0; wait < 250 && !extension.isActive; wait++) await new Promise((done) => setTimeout(done, 200));
    assert.ok(extension.isActive);
    assert.deepEqual(
      vscode.workspace.textDocuments.map(({ languageId }) => languageId).filter((language) => language === "typescript"),
      [],
    );
  });

  it("the extension finds no pack and sleeps", async () => {
    const before = readdirSync(folder, { recursive: true }).sort();
    document = await vscode.workspace.openTextDocument(join(folder, "plain.ts"));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), "// edited\n"));
    assert.deepEqual(await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri, 20), []);
    // More than the search of three files needs. Nothing tells its end.
    await new Promise((done) => setTimeout(done, 2_000));
    assert.deepEqual(own(), []);
    assert.deepEqual(written(), []);
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before);
  });

  it("every command of the palette is registered", async () => {
    const { commands, menus } = extension.packageJSON.contributes;
    const hidden = new Set(
      menus.commandPalette.filter(({ when }) => when === "false" || when.startsWith("resourceScheme ==")).map(({ command }) => command),
    );
    const known = await vscode.commands.getCommands(true);
    const missing = commands.map(({ command }) => command).filter((command) => !hidden.has(command) && !known.includes(command));
    assert.deepEqual(missing, []);
    assert.deepEqual(own(), []);
  });

  it("the extension wakes when a pack is written, and starts its process", async () => {
    const editor = await vscode.window.showTextDocument(document);
    const end = document.lineAt(document.lineCount - 1).range.end;
    const pack = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({ type: coda.AuthenticationType.Nope });\n`;
    await editor.edit((builder) => builder.insert(end, pack));
    const isFlagged = () => vscode.languages.getDiagnostics(document.uri).some(({ source }) => source === "pack-auth");
    for (let wait = 0; wait < 250 && !isFlagged(); wait++) await new Promise((done) => setTimeout(done, 200));
    assert.ok(isFlagged());
    assert.ok(
      // Only Linux lists processes as files.
      !existsSync("/proc") || own().some((command) => command.includes("server.cjs")),
      processes().join("\n"),
    );
    assert.ok(written().length > 0, readdirSync(dataFolder).join());
  });
});
