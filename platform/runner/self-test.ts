// The pack process tries to do what pack code must never be able to do. If an attempt succeeds, a layer is not enforced, and nothing runs
// (security.md 1). The test acts instead of reading flags.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { SelfTestReport } from "../../protocol/pack-process.ts";
import { foreignVariables } from "./environment.ts";
import type { Realm } from "./realm.ts";

type Layer = SelfTestReport["layers"][number];

interface SelfTestOptions {
  /** A file that exists and that this process must not be able to read. */
  readonly canary: string;
  /** Names of layers that may be missing, with the author's consent. */
  readonly tolerate: readonly string[];
  readonly makeRealm: () => Realm;
}

/** Runs an attempt. The layer is enforced if the permission model denied the attempt; any other failure does not count. */
function denied(attempt: () => unknown): { isEnforced: boolean; detail?: string } {
  try {
    attempt();
    return { isEnforced: false, detail: "it was possible" };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === "ERR_ACCESS_DENIED"
      ? { isEnforced: true }
      : { isEnforced: false, detail: `failed otherwise: ${code ?? String(error)}` };
  }
}

/** Scripts that try to leave the realm. Each must return `kept`. */
const REALM_PROBES: readonly { readonly name: string; readonly source: string }[] = [
  {
    name: "no ambient authority in the realm",
    source: `["process","require","module","Buffer","fetch","setTimeout","setInterval","setImmediate","queueMicrotask","structuredClone","URL","URLSearchParams","TextEncoder","TextDecoder","atob","btoa","AbortController"]
      .filter((name) => typeof globalThis[name] !== "undefined").join() || "kept"`,
  },
  {
    name: "no code from strings",
    source: `[() => { if (typeof eval === "function") eval("1"); else throw new EvalError("there is none"); }, () => Function("return 1")(), () => (async () => {}).constructor("return 1")(), () => (function* () {}).constructor("yield 1")(), () => console.log.constructor("return 1")()]
      .map((attempt) => { try { attempt(); return "made"; } catch (error) { return error instanceof EvalError ? "" : "outer"; } }).join("") || "kept"`,
  },
  {
    name: "no dynamic import",
    source: `import("node:fs").then(() => "imported", (error) => {
      let found = "kept";
      if (!(error instanceof Error)) found = "an error of another realm";
      try { if (error.constructor.constructor("return typeof process")() !== "undefined") found = "process"; } catch {}
      return found;
    })`,
  },
];

/** Resolves to every layer, and whether it is enforced. */
export async function testLayers(options: SelfTestOptions): Promise<readonly Layer[]> {
  const layers: Layer[] = [
    { name: "no file can be read", ...denied(() => readFileSync(options.canary)) },
    { name: "no file can be written", ...denied(() => writeFileSync(`${options.canary}.written`, "")) },
    { name: "no process can be started", ...denied(() => spawnSync(process.execPath, ["--version"])) },
    { name: "no worker can be started", ...denied(() => new Worker("", { eval: true })) },
    { name: "no code from strings outside the realm", ...stringsDenied() },
    { name: "intrinsics are frozen", isEnforced: Object.isFrozen(Object.prototype) && Object.isFrozen(Array.prototype) },
    { name: "no secrets in the environment", ...emptyEnvironment() },
  ];
  for (const probe of REALM_PROBES) {
    const probeResult = await options.makeRealm().probe(probe.source);
    layers.push({ name: probe.name, isEnforced: probeResult === "kept", ...(probeResult === "kept" ? {} : { detail: probeResult }) });
  }
  return layers.map((layer) =>
    !layer.isEnforced && options.tolerate.includes(layer.name) ? { ...layer, isEnforced: true, detail: "gone without" } : layer,
  );
}

function stringsDenied(): { isEnforced: boolean; detail?: string } {
  try {
    // The call is the test: it throws if the flag is in force.
    new Function("return 1")();
    return { isEnforced: false, detail: "it was possible" };
  } catch {
    return { isEnforced: true };
  }
}

function emptyEnvironment(): { isEnforced: boolean; detail?: string } {
  const foreignNames = foreignVariables(process.env);
  return foreignNames.length === 0 ? { isEnforced: true } : { isEnforced: false, detail: foreignNames.join(", ") };
}
