// The folder for the tests inside an extension host, in the embedded VS Code and on a desktop.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a project without packs, which the tests read before they add some. `dataFolder` is where the editor keeps its data. */
export function writeHostFolder(folder: string, dataFolder: string): void {
  writeFileSync(join(folder, "plain.ts"), "export const answer = 42;\n");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "site", dependencies: { react: "*" } }));
  writeFileSync(join(folder, "window.json"), JSON.stringify({ dataFolder }));
}
