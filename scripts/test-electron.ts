// Runs the in-host tests in a desktop VS Code through @vscode/test-electron, if it can be downloaded. Otherwise it prints NOT RUN, which is
// a failure only with --require.
import { join } from "node:path";
import { downloadAndUnzipVSCode, runTests } from "@vscode/test-electron";
import { errorMessage } from "../base/error-message.ts";
import { build } from "./build.ts";

const root = join(import.meta.dirname, "..");
process.chdir(root);
await build({ watch: false });
let executable: string | undefined;
try {
  executable = await downloadAndUnzipVSCode({ extractSync: true });
} catch (error) {
  console.log(`NOT RUN: no desktop VS Code can be downloaded here (${errorMessage(error)}).`);
  process.exitCode = process.argv.includes("--require") ? 1 : 0;
}
if (executable !== undefined) {
  const exitCode = await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: root,
    extensionTestsPath: join(root, "test/e2e/in-host/index.cjs"),
    launchArgs: [join(root, "examples"), "--disable-workspace-trust", "--disable-extensions"],
  }).catch((error: unknown) => {
    console.error(error);
    return 1;
  });
  console.log(exitCode === 0 ? "1 passed, 0 failed" : "0 passed, 1 failed");
  process.exitCode = exitCode;
}
