// What the editor's own API says of the extension: commands, diagnostics, quick fixes, lenses.
const assert = require("node:assert/strict");
const vscode = require("vscode");

describe("The extension inside its host", () => {
  it("the extension activates, registers its commands and flags a mistake", async () => {
    const [file] = await vscode.workspace.findFiles("mistakes/pack.ts");
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    for (
      let wait = 0;
      wait < 100 && vscode.languages.getDiagnostics(file).filter((found) => found.source === "pack-auth").length === 0;
      wait++
    )
      await new Promise((done) => setTimeout(done, 200));
    const rules = vscode.languages
      .getDiagnostics(file)
      .filter((found) => found.source === "pack-auth")
      .map((found) => (typeof found.code === "object" ? found.code.value : found.code));
    assert.ok(rules.includes("auth-type-unknown"), rules.join());
    const commands = await vscode.commands.getCommands(true);
    for (const command of ["packAuth.connectTestAccount", "packAuth.addOAuthCredentials", "packAuth.runFormula"])
      assert.ok(commands.includes(command), command);
    const lensesNow = () => vscode.commands.executeCommand("vscode.executeCodeLensProvider", file, 20);
    const lenses = await lensesNow();
    const run = lenses.find((lens) => lens.command?.title === "$(play) Run");
    // The editor forgets the arguments of lenses that it still draws: these have none, and names that hold.
    assert.equal(run.command.arguments, undefined);
    assert.ok((await vscode.commands.getCommands(true)).includes(run.command.command));
    assert.deepEqual(
      (await lensesNow()).map(({ command }) => command),
      lenses.map(({ command }) => command),
    );
  });
});
