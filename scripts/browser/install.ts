// A headless Chromium from the npm registry, for Linux x64. Its package is made for a cloud function service: it unpacks to fixed names in
// the temporary folder, and uses existing files without a check. Here the package unpacks into a new folder of the project. The files are
// used only if nobody else can write there and every byte is the expected one.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { NpmPackages } from "../npm-packages.ts";

const here = import.meta.dirname;
const modules = join(here, "node_modules");
const unpacked = join(modules, ".unpacked");

/** The hash of all files that the pinned version unpacks. After an update of the package, the error message contains the new one. */
const SHA_256 = "fff700343ab8279be9a0f8bc049244f0f16b84d3fd3bff6dc7e4586969b0448a";

/** The program and the environment of a browser. */
export interface BrowserProgram {
  readonly executablePath: string;
  /** Variables to add to the environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The browser that `installPackages` installs. Its libraries and font come from its package, so it starts on a system without them. */
export const installedBrowser: BrowserProgram = {
  executablePath: join(unpacked, "chromium"),
  env: { LD_LIBRARY_PATH: join(unpacked, "al2023/lib"), FONTCONFIG_FILE: join(here, "fonts.conf") },
};

export const packages: NpmPackages = {
  folder: here,
  name: "Chromium for the tests",
  megabytes: 73,
  options: [],
  assertSupported() {
    if (process.platform !== "linux" || process.arch !== "x64")
      throw new Error("There is no Chromium. Run `npx playwright-core install chromium`, or put chromium on the PATH.");
  },
  async finish() {
    const temporary = mkdtempSync(join(modules, ".unpacking-"));
    try {
      await unpackInto(temporary);
      assertUnpacked(temporary);
      rmSync(unpacked, { recursive: true, force: true });
      renameSync(temporary, unpacked);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  },
};

/** Makes the package unpack everything including its libraries, which it otherwise does only on the cloud service. */
async function unpackInto(folder: string): Promise<void> {
  const script = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: here,
    env: { TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(/^\w*Error: .*$/m.exec(stderr)?.[0] ?? `unpacking ended with ${code}.`);
}

/**
 * Throws unless the folder is private to this user and contains exactly the files of the pinned version. Every start of the browser checks
 * this, in a fraction of a second.
 */
export function assertUnpacked(folder: string = unpacked): void {
  const { uid, mode } = statSync(folder);
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) throw new Error(`${folder} is not private to this user. Delete it.`);
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    if (statSync(path).isFile()) hash.update(`${name}\n`).update(readFileSync(path));
  }
  const digest = hash.digest("hex");
  if (digest !== SHA_256) throw new Error(`The unpacked Chromium is not the expected one (sha256 ${digest}). Delete ${modules}.`);
}
