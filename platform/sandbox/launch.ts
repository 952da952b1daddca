// Host side of the sandbox: starts its process, or attaches to a running one, and registers packs with it.
import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import type { ErrorReport } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import type { RegisterRequest, RegisterResponse } from "./protocol.ts";

export interface Sandbox {
  /** The control address, `http://127.0.0.1:<port>/#<token>`; a secret of this machine's own sandbox. */
  readonly url: string;
  /** Throws sandbox-failed, for a bad sandbox.json among other things. */
  register(request: RegisterRequest): Promise<RegisterResponse>;
  stop(): void;
}

export type SandboxOptions =
  | { /** dist/sandbox.cjs */ readonly modulePath: string; readonly nodePath?: string }
  | { /** Of a running sandbox. */ readonly url: string };

const START_TIME = 15_000;

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  if ("url" in options) return attach(options.url, () => {});
  if (!existsSync(options.modulePath))
    throw new PackAuthError("sandbox-failed", "The sandbox is not built.", { hint: "Run: npm run build" });
  const child = fork(options.modulePath, [], {
    execArgv: ["--no-warnings"],
    env: process.versions.electron !== undefined || process.env.ELECTRON_RUN_AS_NODE !== undefined ? { ELECTRON_RUN_AS_NODE: "1" } : {},
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    ...(options.nodePath === undefined ? {} : { execPath: options.nodePath }),
  });
  const url = await readyUrl(child);
  const stop = (): void => {
    child.kill();
  };
  process.once("exit", stop);
  return attach(url, stop);
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let stderr = "";
    child.stderr?.on("data", (data: Buffer) => {
      if (stderr.length < 2_000) stderr += data.toString();
    });
    const fail = (message: string): void =>
      reject(new PackAuthError("sandbox-failed", message, stderr === "" ? {} : { hint: stderr.trim().slice(0, 300) }));
    const timer = setTimeout(() => {
      child.kill();
      fail("The sandbox did not start in time.");
    }, START_TIME);
    child.once("message", (message) => {
      clearTimeout(timer);
      resolve((message as { url: string }).url);
    });
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(`The sandbox did not start (code ${code}).`);
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      fail(`The sandbox did not start: ${error.message}`);
    });
  });
}

function attach(url: string, stop: () => void): Sandbox {
  const { origin, hash } = new URL(url);
  return {
    url,
    stop,
    async register(request) {
      let response: Response;
      try {
        response = await fetch(`${origin}/packs`, {
          method: "POST",
          headers: { authorization: `Bearer ${hash.slice(1)}`, "content-type": "application/json" },
          body: JSON.stringify(request),
          signal: AbortSignal.timeout(START_TIME),
        });
      } catch (cause) {
        throw new PackAuthError("sandbox-failed", "The sandbox does not answer.", {
          hint: "It may have been stopped: connect again to start a new one.",
          cause,
        });
      }
      const body: unknown = await response.json();
      if (response.ok) return body as RegisterResponse;
      const { message, hint } = body as ErrorReport;
      throw new PackAuthError("sandbox-failed", message, hint === undefined ? {} : { hint });
    },
  };
}
