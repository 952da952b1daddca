// Runs inside the extension host: opens the pack of the folder, waits until the extension is there for it, and writes down what the
// editor itself measured.
const { writeFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

/** Asked again until there is an answer. */
async function until(ask) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("never there");
}

/**
 * How long the editor took to load the code, by its own marks: what its report calls "Load Code" also waits, for as long as the other
 * extensions take, for texts in the window's language.
 */
function codeLoaded() {
  const at = (mark) =>
    globalThis.MonacoPerformanceMarks.getMarks().find(({ name }) => name === `code/extHost/${mark}/pack-auth.pack-auth`).startTime;
  return at("didLoadExtensionCode") - at("willLoadExtensionCode");
}

/** With the extension's row of "Developer: Startup Performance": eager, load code, call activate and so on, in ms. */
async function statistics() {
  // Its text can be read once it was shown.
  await vscode.commands.executeCommand("perfview.show");
  return until(async () => {
    const report = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: "perf", path: "Startup Performance" }));
    const row = report
      .getText()
      .split("\n")
      .find((line) => line.startsWith("| pack-auth.pack-auth "));
    const [, , , call] =
      row
        ?.split("|")
        .slice(1)
        .map((cell) => cell.trim()) ?? [];
    return row === undefined ? undefined : { load: codeLoaded(), call: Number(call) };
  });
}

exports.run = async () => {
  const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const answer = await measure(folder).catch((error) => ({ error: String(error?.stack ?? error) }));
  writeFileSync(join(folder, "activation.json"), JSON.stringify(answer));
};

async function measure(folder) {
  const uri = vscode.Uri.file(join(folder, "pack.ts"));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  const { foundPack } = await vscode.extensions.getExtension("pack-auth.pack-auth").activate();
  const found = await foundPack;
  const opened = found ? await until(async () => performance.getEntriesByName("pack-auth/opened")[0]?.duration) : undefined;
  return { ...(await statistics()), found, opened };
}
