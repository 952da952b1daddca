// `npm start`: builds, starts the sandbox for the examples, and opens them in VS Code with the extension. This is the desktop's VS Code if
// installed, else the embedded one in the browser. Ctrl-C stops everything.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { errorMessage } from "../base/error-message.ts";
import { startSandbox } from "../platform/sandbox/launch.ts";
import { build } from "./build.ts";
import { packages as editorPackages } from "./embedded/install.ts";
import { startEmbedded } from "./embedded/server.ts";
import { installPackages } from "./npm-packages.ts";
import { packageExtension, vsix } from "./package.ts";
import { shellCommand } from "./shell-command.ts";

const USAGE = `npm start -- [--embedded] [--no-open]

  --embedded   the VS Code in the browser, even where a desktop one is installed
  --no-open    open no browser; the line "Ready: <url>" tells where it is
`;

const root = join(import.meta.dirname, "..");
const examples = join(root, "examples");

function readOptions(): { readonly embedded: boolean; readonly open: boolean } | undefined {
  try {
    const { values } = parseArgs({
      options: { embedded: { type: "boolean" }, "no-open": { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      return undefined;
    }
    return { embedded: values.embedded === true, open: values["no-open"] !== true };
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return undefined;
  }
}

const has = (program: string): boolean => spawnSync(process.platform === "win32" ? "where" : "which", [program]).status === 0;

/** Functions that stop the started parts; they run in reverse order. */
const cleanups: (() => Promise<void> | void)[] = [];
let stopping = false;

async function stopAll(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const stop of cleanups.reverse())
    await Promise.resolve()
      .then(stop)
      .catch(() => {});
  process.exit(code);
}

/** Reports the step and its duration on standard error, because standard output has only the line with the address. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = performance.now();
  process.stderr.write(`${name}…\n`);
  const result = await work();
  process.stderr.write(`${name}: ${((performance.now() - before) / 1_000).toFixed(1)} s\n`);
  return result;
}

async function start(options: { readonly embedded: boolean; readonly open: boolean }): Promise<void> {
  process.chdir(root);
  const isDesktop = !options.embedded && has("code");
  await Promise.all([
    step("Building Pack Auth", () => build({ watch: false })),
    // Installation and build run together, because installing mostly uses the network and the disk.
    isDesktop ? undefined : installPackages(editorPackages),
  ]);
  const sandbox = await step("Starting the sandbox", () => startSandbox({ modulePath: join(root, "dist/sandbox.cjs") }));
  cleanups.push(() => sandbox.stop());
  const env = { PACK_AUTH_SANDBOX: sandbox.url, PACK_AUTH_START: String(Date.now()) };
  if (isDesktop) {
    console.log("Opening the examples in VS Code. Ctrl-C stops the sandbox.");
    const { command, args, shell } = shellCommand("code", ["--new-window", "--wait", `--extensionDevelopmentPath=${root}`, examples]);
    const editor = spawn(command, args, { stdio: "ignore", env: { ...process.env, ...env }, shell });
    editor.once("exit", () => void stopAll(0));
    cleanups.push(() => void editor.kill());
    return;
  }
  await step("Packaging the extension", async () => packageExtension());
  const dataFolder = mkdtempSync(join(tmpdir(), "pack-auth-start-"));
  // A killed process may still have written a file.
  cleanups.push(() => rmSync(dataFolder, { recursive: true, force: true, maxRetries: 10 }));
  const embedded = await step("Starting VS Code", async () =>
    startEmbedded({ dataFolder, trusted: true, vsix, env, port: await freePort(PORT) }),
  );
  cleanups.push(() => embedded.stop());
  const url = `${embedded.origin}/?folder=${encodeURIComponent(examples)}`;
  console.log(`Ready: ${url}`);
  if (options.open) openBrowser(url);
}

/** A fixed port, because redirect addresses that were registered at a provider contain it. */
const PORT = 8719;

/** Returns the port, or 0 (any port) if another program uses it. */
const freePort = (port: number): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(0));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });

function openBrowser(url: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  if (!has(opener)) {
    console.log("Open this address in a browser. Ctrl-C stops everything.");
    return;
  }
  spawn(opener, [url], { stdio: "ignore", detached: true })
    .on("error", () => console.log("Open this address in a browser. Ctrl-C stops everything."))
    .unref();
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stopAll(0));
const options = readOptions();
if (options !== undefined) {
  start(options).catch((error: unknown) => {
    console.error(errorMessage(error));
    void stopAll(1);
  });
}
