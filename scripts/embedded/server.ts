// Starts the embedded VS Code's server with a data folder of its own, and stops it with all that it started.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeServer, embeddedNode } from "./install.ts";

interface EmbeddedOptions {
  readonly dataFolder: string;
  /** False: workspace trust is asked for, as on a desktop. */
  readonly trusted: boolean;
  /** Any free port without it. */
  readonly port?: number;
  /** A package to install first. */
  readonly vsix?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Further settings of the user. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface Embedded {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  log(): string;
  stop(): Promise<void>;
  /** At once, where nothing that it would still write down is wanted. */
  kill(): void;
  /** Ends what runs for windows that are closed, and waits long for them to come back. */
  endExtensionHosts(): void;
}

const SETTINGS = {
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "workbench.enableExperiments": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  // The product's own servers are no application of the author's.
  "remote.autoForwardPorts": false,
  "editor.minimap.enabled": false,
  "workbench.reduceMotion": "on",
  "window.confirmBeforeClose": "never",
};

const START_TIME = 60_000;

/** Writes the settings of the user. Those that are there already stay as they are. */
export function writeSettings({ dataFolder, trusted, settings }: EmbeddedOptions): void {
  mkdirSync(join(dataFolder, "User"), { recursive: true });
  const path = join(dataFolder, "User/settings.json");
  const present: object = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  writeFileSync(path, JSON.stringify({ ...SETTINGS, "security.workspace.trust.enabled": !trusted, ...settings, ...present }, null, 2));
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataFolder } = options;
  writeSettings(options);
  writeFileSync(join(dataFolder, "config.yaml"), "auth: none\n");
  // What the editor and its extensions leave there goes with the folder.
  const TMPDIR = join(dataFolder, "tmp");
  mkdirSync(TMPDIR, { recursive: true });
  const env = { ...cleanEnvironment(), TMPDIR, ...options.env };
  const entry = join(codeServer, "out/node/entry.js");
  const folders = [
    "--user-data-dir",
    dataFolder,
    "--extensions-dir",
    join(dataFolder, "extensions"),
    "--config",
    join(dataFolder, "config.yaml"),
  ];
  if (options.vsix !== undefined) {
    const { stdout, stderr } = spawnSync(embeddedNode, [entry, ...folders, "--install-extension", options.vsix], { encoding: "utf8", env });
    if (!/successfully installed/.test(stdout)) throw new Error(`The extension was not installed:\n${stdout}${stderr}`);
  }
  const child = spawn(
    embeddedNode,
    [
      entry,
      ...folders,
      "--auth",
      "none",
      "--bind-addr",
      `127.0.0.1:${options.port ?? 0}`,
      "--disable-telemetry",
      "--disable-update-check",
      "--disable-getting-started-override",
      ...(options.trusted ? ["--disable-workspace-trust"] : []),
    ],
    // A group of its own, so that the extension hosts go with it.
    { env, stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  let text = "";
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // It is gone already.
    }
  };
  const killAtExit = (): void => kill("SIGKILL");
  process.once("exit", killAtExit);
  const end = (): void => {
    kill("SIGKILL");
    process.off("exit", killAtExit);
  };
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      const finish = (): void => {
        end();
        resolve();
      };
      if (child.exitCode !== null || child.signalCode !== null) return finish();
      child.once("exit", finish);
      kill("SIGTERM");
      setTimeout(kill, 3_000, "SIGKILL").unref();
    });
  const port = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The embedded VS Code did not start in time.\n${text}`)), START_TIME);
    const read = (data: Buffer): void => {
      text += data.toString();
      const portText = /HTTP server listening on http:\/\/[\d.]+:(\d+)/.exec(text)?.[1];
      if (portText === undefined) return;
      clearTimeout(timer);
      resolve(portText);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`The embedded VS Code ended (${code}).\n${text}`));
    });
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const endExtensionHosts = (): void => {
    for (const host of processesBelow(child.pid ?? 0).filter(isExtensionHost))
      for (const each of [host, ...processesBelow(host)])
        try {
          process.kill(each, "SIGKILL");
        } catch {
          // It is gone already.
        }
  };
  return { origin: `http://127.0.0.1:${port}`, log: () => text, stop, kill: end, endExtensionHosts };
}

/** As Linux tells: the embedded VS Code runs nowhere else. */
function processesBelow(id: number): readonly number[] {
  const children = readProcess(id, `task/${id}/children`).split(" ").filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...processesBelow(child)]);
}

const isExtensionHost = (id: number): boolean => readProcess(id, "cmdline").includes("--type=extensionHost");

/** Empty where the process is gone. */
function readProcess(id: number, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Without what this process's own npm, Node or VS Code put there. */
function cleanEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !/^(NODE_OPTIONS|npm_|VSCODE_|ELECTRON_)/.test(entry[0]),
    ),
  );
}
