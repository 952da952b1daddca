// Builds the .vsix, which contains only bundled code. There is one for each platform of the editor, with a native esbuild, and one for all
// others, with esbuild in WebAssembly. `--target <name>` builds one of them, and `--target all` builds all. The default is this platform's
// and the one for all others. `--release` adds the addresses of the repository.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../base/error-message.ts";
import { type ReleaseFields, readManifest, releaseFields } from "./release-fields.ts";
import { shellCommand } from "./shell-command.ts";

const root = join(import.meta.dirname, "..");

/** The editor's platforms → esbuild's. */
const PLATFORMS = {
  "linux-x64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "linux-armhf": "linux-arm",
  // The binary is static, so it also runs on Alpine.
  "alpine-x64": "linux-x64",
  "alpine-arm64": "linux-arm64",
  "darwin-x64": "darwin-x64",
  "darwin-arm64": "darwin-arm64",
  "win32-x64": "win32-x64",
  "win32-arm64": "win32-arm64",
} as const;
type Target = keyof typeof PLATFORMS | "universal";
const TARGETS = [...Object.keys(PLATFORMS), "universal"] as readonly Target[];

const isTarget = (name: string): name is Target => TARGETS.some((target) => target === name);
const here = `${process.platform}-${arch() === "arm" ? "armhf" : arch()}`;
const ownTarget: Target = isTarget(here) ? here : "universal";

const vsixOf = (target: Target): string => join(root, target === "universal" ? "pack-auth.vsix" : `pack-auth-${target}.vsix`);
/** The package for this platform. */
export const vsix = vsixOf(ownTarget);

/** The files from which .vscodeignore selects. */
const FILES = [
  ".vscodeignore",
  "package.json",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "THIRD-PARTY-NOTICES.txt",
  "sbom.cdx.json",
  "dist",
  "docs",
  "examples",
  "media",
  "schemas",
  "syntaxes",
];

/** Packages the contents of dist/, and returns the path of the .vsix. `release` adds the addresses that the Marketplace shows. */
export function packageExtension(target: Target = ownTarget, release?: ReleaseFields, path = vsixOf(target)): string {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-package-"));
  try {
    layOut(folder);
    forgetMaps(join(folder, "dist"));
    if (target !== "universal") {
      addEsbuild(PLATFORMS[target], join(folder, "dist/esbuild"));
      // The WebAssembly would add a third to the size. If the native esbuild does not start on a system, users install the universal
      // package.
      rmSync(join(folder, "dist/esbuild-wasm"), { recursive: true });
    }
    const vsce = join(root, "node_modules/@vscode/vsce/vsce");
    if (release !== undefined) addAddresses(join(folder, "package.json"), release);
    const about = [
      "--no-dependencies",
      "--skip-license",
      "--no-update-package-json",
      ...(release === undefined
        ? ["--allow-missing-repository", "--no-rewrite-relative-links"]
        : ["--baseContentUrl", release.pages, "--baseImagesUrl", release.pictures]),
    ];
    const platform = target === "universal" ? [] : ["--target", target];
    run(process.execPath, [vsce, "package", ...about, ...platform, "-o", path], folder);
    return path;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function addAddresses(file: string, { repository, bugs, homepage }: ReleaseFields): void {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(
    file,
    JSON.stringify({ ...manifest, repository: { type: "git", url: repository }, bugs: { url: bugs }, homepage }, null, 2),
  );
}

/** Copies the files from which .vscodeignore selects. */
export function layOut(folder: string): void {
  for (const name of FILES) cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !path.endsWith(".map") });
}

/** Removes references to source maps, because a debugger warns about each missing map. */
function forgetMaps(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => /\.(?:cjs|js|css)$/.test(each))) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/\n(?:\/\/|\/\*)# sourceMappingURL=\S+(?: \*\/)?\s*$/, "\n"));
  }
}

/** Copies esbuild in the layout of npm, so that it finds its binary only beside itself. */
function addEsbuild(platform: string, to: string): void {
  const library = join(root, "node_modules/esbuild");
  for (const file of ["package.json", "LICENSE.md", "lib/main.js"]) cpSync(join(library, file), join(to, file));
  const name = `@esbuild/${platform}`;
  const installed = join(root, "node_modules", name);
  const target = join(to, "node_modules", name);
  if (existsSync(installed)) cpSync(installed, target, { recursive: true });
  else download(name, target);
}

/** Downloads a package for another platform from the registry, and checks it against the lock file. */
function download(name: string, to: string): void {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string; integrity: string } | undefined>;
  };
  const locked = packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json has no ${name}`);
  mkdirSync(to, { recursive: true });
  const [{ filename }] = JSON.parse(runNpm(["pack", `${name}@${locked.version}`, "--json", "--pack-destination", to])) as [
    { filename: string },
  ];
  const archive = join(to, filename);
  const actualIntegrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (actualIntegrity !== locked.integrity) throw new Error(`${name} is not what package-lock.json says: ${actualIntegrity}`);
  run("tar", ["-xzf", filename, "--strip-components=1"], to);
  rmSync(archive);
}

function runNpm(options: readonly string[]): string {
  const { command, args, shell } = shellCommand("npm", options);
  return run(command, args, root, shell);
}

function run(command: string, args: readonly string[], cwd: string, shell = false): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
  return stdout;
}

if (process.argv[1]?.endsWith("package.ts")) {
  const isRelease = process.argv.includes("--release");
  const [option, name = "", ...extraArguments] = process.argv.slice(2).filter((argument) => argument !== "--release");
  const targets =
    option === undefined ? new Set([ownTarget, "universal" as const]) : name === "all" ? TARGETS : isTarget(name) ? [name] : undefined;
  if (targets === undefined || (option !== undefined && option !== "--target") || extraArguments.length > 0) {
    console.error(`npm run package -- [--release] --target all, or one of: ${TARGETS.join(", ")}`);
    process.exit(2);
  }
  try {
    const release = isRelease ? releaseFields(readManifest()) : undefined;
    const { build } = await import("./build.ts");
    await build({ watch: false });
    for (const target of targets) console.log(packageExtension(target, release));
  } catch (error) {
    console.error(errorMessage(error));
    process.exitCode = 1;
  }
}
