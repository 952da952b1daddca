// Packs that are opened for a test and closed after it, with the process and the sandbox that are built.
import { basename, dirname, join } from "node:path";
import { openPack, type Pack } from "../../platform/process/pack.ts";
import { type Sandbox, startSandbox } from "../../platform/sandbox/launch.ts";
import type { RegisterResponse } from "../../platform/sandbox/protocol.ts";
import { root } from "./packs.ts";

export const runner = join(root, "dist/runner.cjs");
export const example = (name: string): string => join(root, "examples", name, "pack.ts");

const open: Pack[] = [];

/** Opens a pack, which {@link closePacks} in `after` closes. */
export async function pack(entry: string): Promise<Pack> {
  const openedPack = await openPack(entry, { process: { runner, node: process.execPath } });
  open.push(openedPack);
  return openedPack;
}

export function closePacks(): void {
  for (const openedPack of open.splice(0)) openedPack.dispose();
}

export const launchSandbox = (): Promise<Sandbox> => startSandbox({ modulePath: join(root, "dist/sandbox.cjs") });

/**
 * Returns the sandbox of the calling suite, which starts before its tests and stops after them. The packs of each test are closed after the
 * test.
 */
export function sandboxOfSuite(): Omit<Sandbox, "stop"> {
  let sandbox: Sandbox | undefined;
  before(async () => {
    sandbox = await launchSandbox();
  });
  // Packs are closed at once, because a process for the next run would start soon.
  afterEach(closePacks);
  after(() => sandbox?.stop());
  const now = (): Sandbox => {
    if (sandbox === undefined) throw new Error("no test is running");
    return sandbox;
  };
  return {
    get url() {
      return now().url;
    },
    register: (request) => now().register(request),
    change: (request) => now().change(request),
    addSamples: (request) => now().addSamples(request),
    addAddresses: (request) => now().addAddresses(request),
  };
}

/** Registers a pack with its sandbox.json, or with another file of responses. */
export function register(sandbox: Pick<Sandbox, "register">, openedPack: Pack, stubsFile?: string): Promise<RegisterResponse> {
  return sandbox.register({
    entry: openedPack.entry,
    name: basename(dirname(openedPack.entry)),
    definition: openedPack.definition,
    stubsFile: stubsFile ?? join(dirname(openedPack.entry), "sandbox.json"),
  });
}
