// Packages that are rarely needed, each set in its own folder with its own lock file. A set is installed from the npm registry on first
// use, and again when its lock file changes. `install.ts` in the folder exports the set as `packages`.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { lock } from "proper-lockfile";
import { errorMessage } from "../base/error-message.ts";

/** A set of packages, and how to install it. */
export interface NpmPackages {
  /** The folder with package.json and package-lock.json. */
  readonly folder: string;
  /** The subject of messages, such as "the browser for the tests". */
  readonly name: string;
  /** The size of the download in megabytes. */
  readonly megabytes: number;
  /** Additional options of `npm ci`. */
  readonly options: readonly string[];
  /** Throws if the packages cannot run on this system. The message contains an alternative. */
  assertSupported(): void;
  /** Completes the installation after `npm ci`. */
  finish(): Promise<void>;
}

const root = join(import.meta.dirname, "..");
/** The program that installs the packages of a folder. */
const PROGRAM = join(import.meta.dirname, "install-packages.ts");

const markerOf = ({ folder }: NpmPackages): string => join(folder, "node_modules/.installed-lock.json");
const lockFileOf = ({ folder }: NpmPackages): string => join(folder, "package-lock.json");

/** Returns whether the installed packages are those of the lock file. */
export function areInstalled(packages: NpmPackages): boolean {
  const marker = markerOf(packages);
  return existsSync(marker) && readFileSync(marker, "utf8") === readFileSync(lockFileOf(packages), "utf8");
}

/**
 * Installs the packages if they are missing, and reports the download on standard error. If two processes install the same packages at
 * once, the second waits for the first. Throws a one-line error with the message of npm or of `finish`.
 */
export async function installPackages(packages: NpmPackages): Promise<void> {
  packages.assertSupported();
  if (areInstalled(packages)) return;
  const { folder, name, megabytes, options } = packages;
  if (process.env[failureVariable(folder)] !== undefined) throw new Error(`${capitalize(name)} could not be installed (see above).`);
  const lockFolder = join(root, "node_modules/.cache");
  mkdirSync(lockFolder, { recursive: true });
  const release = await lock(folder, {
    lockfilePath: join(lockFolder, `installing-${folderName(folder)}`),
    retries: { forever: true, minTimeout: 500, maxTimeout: 500 },
  });
  try {
    if (areInstalled(packages)) return;
    const start = performance.now();
    process.stderr.write(`Installing ${name}, once (${megabytes} MB from the npm registry)…\n`);
    await npmCi(folder, options);
    await packages.finish();
    writeFileSync(markerOf(packages), readFileSync(lockFileOf(packages)));
    process.stderr.write(`Installing ${name}: ${((performance.now() - start) / 1_000).toFixed(1)} s\n`);
  } catch (error) {
    throw new Error(`${capitalize(name)} could not be installed: ${errorMessage(error)}`, { cause: error });
  } finally {
    await release();
  }
}

/** Does the same synchronously, because mocha declares suites synchronously. */
export function installPackagesNow(packages: NpmPackages): void {
  packages.assertSupported();
  if (areInstalled(packages)) return;
  const { status, stderr } = spawnSync(process.execPath, ["--import=tsx", PROGRAM, packages.folder], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr.trim().split("\n").at(-1));
}

/** Installs the packages of a folder in a separate process. After a failure, this process and its children do not try again. */
export async function installFolder(folder: string): Promise<boolean> {
  const child = spawn(process.execPath, ["--import=tsx", PROGRAM, folder], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise<number | null>((onClose, onError) => child.once("error", onError).once("close", onClose));
  if (code !== 0) process.env[failureVariable(folder)] = "1";
  return code === 0;
}

/** Runs `npm ci` without install scripts. Throws an error with npm's error lines. */
export async function npmCi(cwd: string, options: readonly string[] = []): Promise<void> {
  // Below `npm run --silent`, npm itself would not write the error lines.
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--loglevel=error", ...options];
  const child = spawn("npm", args, { cwd, stdio: ["ignore", "ignore", "pipe"], shell: process.platform === "win32" });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((onClose, onError) => child.once("error", onError).once("close", onClose));
  if (code !== 0) throw new Error(npmErrors(stderr) ?? `npm ended with ${code}.`);
}

/** Returns npm's first error lines, which contain the cause. */
const npmErrors = (stderr: string): string | undefined =>
  stderr
    .match(/^npm error .*$/gm)
    ?.slice(0, 5)
    .map((line) => line.slice("npm error ".length))
    .join(" ");

const folderName = (folder: string): string => relative(root, resolve(root, folder)).replace(/\W+/g, "-");
const failureVariable = (folder: string): string => `INSTALLATION_FAILED_${folderName(folder).replaceAll("-", "_").toUpperCase()}`;
const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
