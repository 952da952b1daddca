// Starts the embedded VS Code's server with its own data folder, and stops the server with all its processes.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOf, processesBelow, signal } from "../processes.ts";
import { codeServer, embeddedNode } from "./install.ts";

interface EmbeddedOptions {
  readonly dataFolder: string;
  /** If false, the editor asks for workspace trust, as on a desktop. */
  readonly trusted: boolean;
  /** Any free port by default. */
  readonly port?: number;
  /** An extension package to install first. */
  readonly vsix?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Additional user settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface Embedded {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  log(): string;
  stop(): Promise<void>;
  /** Kills the server at once, without saving its state. */
  kill(): void;
  /** Ends the extension hosts of closed windows, for whose return the server would wait long. */
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
  // The product's own servers are not applications of the author.
  "remote.autoForwardPorts": false,
  "editor.minimap.enabled": false,
  "workbench.reduceMotion": "on",
  "window.confirmBeforeClose": "never",
};

const START_TIME = 60_000;

/** Writes the user settings. Existing settings have priority. */
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
  // Temporary files of the editor and its extensions are deleted with the data folder.
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
    // A separate process group, so that the extension hosts can be killed with the server.
    { env, stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  let text = "";
  const kill = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined) signal(-child.pid, name);
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
    const hosts = processesBelow(child.pid ?? 0).filter((each) => commandOf(each).includes("--type=extensionHost"));
    for (const host of hosts) for (const { pid } of [host, ...processesBelow(host.pid)]) signal(pid, "SIGKILL");
  };
  return { origin: `http://127.0.0.1:${port}`, log: () => text, stop, kill: end, endExtensionHosts };
}

/** Returns the environment without the variables that npm, Node or VS Code set for this process. */
function cleanEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !/^(NODE_OPTIONS|npm_|VSCODE_|ELECTRON_)/.test(entry[0]),
    ),
  );
}
