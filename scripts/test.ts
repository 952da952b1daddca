// `npm test`: builds, runs every suite, and ends with one line that adds them up. What could not run is counted apart.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./build.ts";
import { installEmbedded } from "./embedded/install.ts";
import { packageExtension } from "./package.ts";

interface Counts {
  passed: number;
  failed: number;
  notRun: number;
}

const folder = mkdtempSync(join(tmpdir(), "pack-auth-counts-"));
const total: Counts = { passed: 0, failed: 0, notRun: 0 };

/** Runs one mocha process and adds its counts; a process that dies without any counts as one failure. */
function suite(name: string, files: readonly string[], options: readonly string[] = []): void {
  console.log(`\n— ${name}`);
  const counts = join(folder, `${name.replaceAll(" ", "-")}.json`);
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/mocha/bin/mocha.js", "--exit", "--reporter", "test/support/reporter.cjs", ...options, ...files],
    {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, PACK_AUTH_COUNTS: counts },
    },
  );
  const found: Counts = existsSync(counts) ? (JSON.parse(readFileSync(counts, "utf8")) as Counts) : { passed: 0, failed: 0, notRun: 0 };
  total.passed += found.passed;
  total.failed += found.failed;
  total.notRun += found.notRun;
  if (status !== 0 && found.failed === 0) total.failed++;
}

function step(name: string, work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    console.error(`\n${name} failed: ${error instanceof Error ? error.message : String(error)}`);
    total.failed++;
    return false;
  }
}

process.chdir(join(import.meta.dirname, ".."));
await build({ watch: false });
suite("rooms", ["test/**/*.test.ts"], ["--ignore", "test/e2e/**", "--ignore", "**/node_modules/**"]);
if (step("Packaging the extension", packageExtension) && step("Installing the embedded VS Code", installEmbedded)) {
  suite("real VS Code", ["test/e2e/**/*.e2e.ts"], ["--timeout", "120000", "--ignore", "**/node_modules/**"]);
}
rmSync(folder, { recursive: true, force: true });
if (total.notRun > 0) console.log(`\n${total.notRun} NOT RUN (see above)`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
