// The host side of the sandbox: starts its process or attaches to a running one, and registers packs with it.

import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { defined } from "../../base/defined.ts";
import type { ErrorReport } from "../../protocol/run.ts";
import { nodeEnvironment } from "../child-process/node-environment.ts";
import { spawnOrThrow } from "../child-process/spawn-or-throw.ts";
import { PackAuthError } from "../errors.ts";
import type { AddressRequest, RegisterRequest, RegisterResponse, SampleRequest, SwitchRequest } from "./protocol.ts";
import type { SandboxSwitches } from "./switches.ts";

export interface Sandbox {
  /** The control address, `http://127.0.0.1:<port>/#<token>`. The token is a secret. */
  readonly url: string;
  /** Registers a pack. Throws sandbox-failed, for an invalid sandbox.json among other reasons. */
  register(request: RegisterRequest): Promise<RegisterResponse>;
  /** Changes switches of a registered pack and returns all of its switches. Throws sandbox-failed. */
  change(request: SwitchRequest): Promise<SandboxSwitches>;
  /** Adds answers for requests that sandbox.json does not have. Throws sandbox-failed. */
  addSamples(request: SampleRequest): Promise<void>;
  /** Lets browsers reach the pack's server under more addresses. Throws sandbox-failed. */
  addAddresses(request: AddressRequest): Promise<void>;
  stop(): void;
}

type SandboxOptions =
  | { /** The bundle dist/sandbox.cjs. */ readonly modulePath: string; readonly nodePath?: string }
  | { /** The control address of a running sandbox. */ readonly url: string };

const START_TIME = 15_000;

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  if ("url" in options) return attach(controlAddress(options.url), () => {});
  if (!existsSync(options.modulePath))
    throw new PackAuthError("sandbox-failed", "The sandbox is not built.", { hint: "Run: npm run build" });
  const { modulePath, nodePath } = options;
  const child = spawnOrThrow(
    () =>
      fork(modulePath, [], {
        execArgv: ["--no-warnings"],
        env: nodeEnvironment(),
        stdio: ["ignore", "ignore", "pipe", "ipc"],
        ...defined({ execPath: nodePath }),
      }),
    "sandbox-failed",
    "The sandbox did not start.",
  );
  // The sandbox ends with this process, because its channel closes. This listener ends a sandbox that is still starting.
  const stop = (): void => {
    // A process that did not start has no pid; see spawn-runner.ts.
    if (child.pid !== undefined) child.kill();
  };
  process.once("exit", stop);
  child.once("exit", () => process.removeListener("exit", stop));
  return attach(await readyUrl(child), stop);
}

const START = { nextStep: { do: "startSandbox" } } as const;

/** Returns the control address. Throws sandbox-failed if the text is not the control address of a sandbox. */
function controlAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname) && url.hash.length > 1) return url.href;
  throw new PackAuthError("sandbox-failed", "The address of the running sandbox must be like http://127.0.0.1:4000/#token.", START);
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let stderr = "";
    child.stderr?.on("data", (data: Buffer) => {
      if (stderr.length < 2_000) stderr += data.toString();
    });
    const fail = (message: string): void => {
      clearTimeout(timer);
      reject(new PackAuthError("sandbox-failed", message, { hint: stderr.trim().slice(0, 300) || undefined }));
    };
    const timer = setTimeout(() => {
      child.kill();
      fail("The sandbox did not start in time.");
    }, START_TIME);
    child.once("message", (message) => {
      clearTimeout(timer);
      resolve((message as { url: string }).url);
    });
    child.once("exit", (code) => fail(`The sandbox did not start (code ${String(code)}).`));
    child.once("error", (error) => fail(`The sandbox did not start: ${error.message}`));
  });
}

function attach(url: string, stop: () => void): Sandbox {
  const { origin, hash } = new URL(url);
  async function ask<T>(path: string, request: unknown): Promise<T> {
    const { ok, body } = await post(`${origin}${path}`, hash.slice(1), request);
    if (ok) return body as T;
    const { message, hint, nextStep, stack } = body as ErrorReport;
    throw new PackAuthError("sandbox-failed", message, { hint, nextStep, location: stack?.[0]?.location });
  }
  return {
    url,
    stop,
    register: (request) => ask("/packs", request),
    change: (request) => ask("/switches", request),
    addSamples: (request) => ask("/samples", request),
    addAddresses: (request) => ask("/addresses", request),
  };
}

async function post(url: string, token: string, body: unknown): Promise<{ readonly ok: boolean; readonly body: unknown }> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(START_TIME),
    });
    return { ok: response.ok, body: await response.json() };
  } catch (cause) {
    throw new PackAuthError("sandbox-failed", "The sandbox does not answer. It may have been stopped.", { ...START, cause });
  }
}
