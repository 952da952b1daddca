// The built command line under Node for Windows, laid out as npm does it there. What it writes goes to files: Wine's pipes are not
// Windows' own.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { errorMessage } from "../../base/error-message.ts";
import { installPackagesNow } from "../../scripts/npm-packages.ts";
import { notRun, notRunOutsideCi } from "../support/not-run.ts";
import { root } from "../support/packs.ts";
import { forwardingDll } from "./forwarding-dll.ts";
import { nodeExe, packages, windowsModules } from "./install.ts";

export interface ProcessResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningProcess {
  /** What it wrote on either, once that fits. Fails where it ended before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  readonly result: Promise<ProcessResult>;
}

/** One that is installed on Windows. */
export interface Product {
  start(args: readonly string[], env?: NodeJS.ProcessEnv): RunningProcess;
  call(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<ProcessResult>;
  /** A source of this folder in place of the command line. */
  runScript(name: string): Promise<ProcessResult>;
}

export interface Layout {
  readonly node: number;
  /** With the esbuild and the keyring that are native to Windows beside it. */
  readonly isNative: boolean;
  /** The pack process is left as it is built: it then finds Wine's own names in its environment. */
  readonly keepsWineVariables?: boolean;
}

/** Drive Z: is all of this machine. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll("/", "\\")}`;

/** Wine puts names of its own into every process, whatever it was to be given; Windows has none of them. */
const REMOVE_WINE_VARIABLES = `for (const name of Object.keys(process.env)) if (/^WINE/.test(name)) delete process.env[name];\n`;

/** Wine's own client lost its server. It says nothing about the program, so the call is made again. */
const LOST_CONNECTION = /^wine client error.*recvmsg/m;

export interface Windows {
  install(layout: Layout): Product;
  /** Why a Node does not always start; undefined where it does. */
  whyNot(node: number): string | undefined;
}

/** Wine does not always have the room that Node 24 reserves: it starts once, and not the next time. The others start each time. */
const startsOf = (node: number): number => (node >= 24 ? 5 : 1);

/** Returns undefined if there is no Wine, or if Node for Windows cannot be installed, which is a failure in CI. The suite then says why. */
export function windowsOfSuite(): Windows | undefined {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-windows-"));
  const wine = wineIn(folder);
  after(() => {
    // All of this Windows, such as a sandbox that still runs.
    for (const how of ["--kill", "--wait"]) spawnSync("wineserver", [how], { env: wine, timeout: 10_000 });
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    packages.assertSupported();
  } catch (error) {
    notRun(errorMessage(error));
    return undefined;
  }
  try {
    installPackagesNow(packages);
    makeWindows(wine);
  } catch (error) {
    notRunOutsideCi(errorMessage(error));
    return undefined;
  }
  let count = 0;
  return {
    whyNot(node) {
      for (let start = 0; start < startsOf(node); start++) {
        const { status, stderr } = spawnSync("wine", [nodeExe(node), "-e", "0"], { env: wine, encoding: "utf8", timeout: 60_000 });
        if (status !== 0) return /^# (.*)$/m.exec(stderr)?.[1] ?? `it ends with ${status}`;
      }
      return undefined;
    },
    install(layout) {
      const place = join(folder, `${count++}`);
      before(() => lay(place, layout));
      return productIn(place, layout.node, wine);
    },
  };
}

/** What Wine is started with: a Windows of its own, none of its parts for windows and menus, and no word of its own on standard error. */
const wineIn = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  WINEPREFIX: join(folder, "wine"),
  WINEARCH: "win64",
  WINEDEBUG: "-all",
  WINEDLLOVERRIDES: "mscoree,mshtml,winemenubuilder.exe=;bcryptprimitives=n",
  // Wine's Windows is older than the one that Node asks for.
  NODE_SKIP_PLATFORM_CHECK: "1",
});

/** Windows 10, with the library that programs made by Go and Rust take random bytes from: Wine has it from version 9 on. */
function makeWindows(wine: NodeJS.ProcessEnv): void {
  for (const args of [
    ["wineboot", "--init"],
    ["reg", "add", "HKCU\\Software\\Wine", "/v", "Version", "/d", "win10", "/f"],
  ]) {
    const { status, stderr, error } = spawnSync("wine", args, { env: wine, encoding: "utf8", timeout: 120_000 });
    if (status !== 0) throw new Error(`wine ${args[0]} failed: ${error?.message ?? stderr.slice(0, 500)}`);
  }
  writeFileSync(
    join(wine.WINEPREFIX ?? "", "drive_c/windows/system32/bcryptprimitives.dll"),
    forwardingDll("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036"),
  );
}

function lay(place: string, { isNative, keepsWineVariables }: Layout): void {
  cpSync(join(root, "dist"), join(place, "dist"), { recursive: true, filter: (path) => !path.endsWith(".map") });
  cpSync(join(root, "package.json"), join(place, "package.json"));
  const runner = join(place, "dist/runner.cjs");
  if (keepsWineVariables !== true) writeFileSync(runner, REMOVE_WINE_VARIABLES + readFileSync(runner, "utf8"));
  if (isNative) symlinkSync(windowsModules, join(place, "node_modules"));
}

function productIn(place: string, node: number, wine: NodeJS.ProcessEnv): Product {
  let count = 0;
  const startFile = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningProcess => {
    const files = ["out", "err"].map((name) => join(place, `${count}.${name}`));
    count++;
    const handles = files.map((file) => openSync(file, "w"));
    const before = ["-r", windowsPath(join(import.meta.dirname, "what-wine-lacks.cjs")), windowsPath(program)];
    const child = spawn("wine", [nodeExe(node), ...before, ...args], {
      cwd: root,
      env: { ...wine, PACK_AUTH_HOME: windowsPath(join(place, "home")), USER: "me", ...env },
      stdio: ["ignore", ...handles],
    });
    for (const handle of handles) closeSync(handle);
    const read = (): readonly string[] => files.map((file) => readFileSync(file, "utf8"));
    return watchProcess(child, read);
  };
  const start: Product["start"] = (args, env) => startFile(join(place, "dist/cli.cjs"), args, env);
  return {
    start,
    async call(args, env) {
      const result = await start(args, env).result;
      return LOST_CONNECTION.test(result.err) ? start(args, env).result : result;
    },
    async runScript(name) {
      const outfile = join(place, `dist/${name}.cjs`);
      await build({
        entryPoints: [join(import.meta.dirname, `${name}.ts`)],
        outfile,
        bundle: true,
        platform: "node",
        format: "cjs",
        external: ["@napi-rs/keyring"],
        logLevel: "warning",
      });
      return startFile(outfile, []).result;
    },
  };
}

function watchProcess(child: ChildProcess, read: () => readonly string[]): RunningProcess {
  const result = once(child, "close").then(([code]): ProcessResult => {
    const [out = "", err = ""] = read();
    return { code: code as number | null, out, err };
  });
  return {
    result,
    async until(pattern) {
      for (;;) {
        const match = pattern.exec(read().join("\n"));
        if (match !== null) return match;
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${read().join("\n")}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}
