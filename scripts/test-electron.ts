// Runs the tests of test/e2e/in-host in a desktop VS Code through @vscode/test-electron, if it can be downloaded. Otherwise it prints NOT
// RUN, which is a failure only with --require.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { downloadAndUnzipVSCode, runTests } from "@vscode/test-electron";
import { errorMessage } from "../base/error-message.ts";
import { build } from "./build.ts";
import { writeHostFolder } from "./host-folder.ts";

const root = join(import.meta.dirname, "..");

/** The result of the desktop VS Code. `reason` says why the tests were not run or did not pass. */
export interface DesktopResult {
  readonly isRun: boolean;
  readonly isPassed: boolean;
  readonly reason: string;
}

/** Runs the tests from the built bundles. */
export async function runOnDesktop(): Promise<DesktopResult> {
  const notRun = (reason: string): DesktopResult => ({ isRun: false, isPassed: false, reason: `NOT RUN: the desktop VS Code. ${reason}` });
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return notRun("There is no display here.");
  let vscodeExecutablePath: string;
  try {
    vscodeExecutablePath = await downloadAndUnzipVSCode({ extractSync: true });
  } catch (error) {
    return notRun(`It cannot be downloaded here (${errorMessage(error)}).`);
  }
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-desktop-"));
  const data = mkdtempSync(join(tmpdir(), "pack-auth-data-"));
  try {
    writeHostFolder(folder, data);
    const exitCode = await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: root,
      extensionTestsPath: join(root, "test/e2e/in-host/index.cjs"),
      launchArgs: [folder, `--user-data-dir=${data}`, "--disable-workspace-trust", "--disable-extensions"],
    });
    return { isRun: true, isPassed: exitCode === 0, reason: `the desktop VS Code ended with exit code ${exitCode}` };
  } catch (error) {
    return { isRun: true, isPassed: false, reason: `the desktop VS Code: ${errorMessage(error)}` };
  } finally {
    for (const path of [folder, data]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

if (process.argv[1]?.endsWith("test-electron.ts")) {
  process.chdir(root);
  await build({ watch: false });
  const { isRun, isPassed, reason } = await runOnDesktop();
  if (!isPassed) console.log(reason);
  if (isRun) console.log(isPassed ? "1 passed, 0 failed" : "0 passed, 1 failed");
  process.exitCode = isPassed || (!isRun && !process.argv.includes("--require")) ? 0 : 1;
}
