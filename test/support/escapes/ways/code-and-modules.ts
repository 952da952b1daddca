// Attempts to escape through strings that are compiled, imports, Node's modules and globals that a realm must not have.
import { caught, own, probe } from "../probe.ts";
import { type Anything, CONTAINED, reach, reachThrown } from "../reach.ts";

probe("eval", () => reachThrown(() => own.eval("1")));
for (const [name, maker] of [
  ["a function", () => {}],
  ["an async function", async () => {}],
  ["a generator", function* () {}],
  ["an async generator", async function* () {}],
  ["a function of the host", console.log],
] as const) {
  probe(`the constructor of ${name}`, () => {
    const error = caught(() => (maker.constructor as Anything)("return 1"));
    return error === undefined ? "made code" : reach(error);
  });
}
probe("a literal import", (context) =>
  reachThrown(async () => {
    const name = context.nothing ?? "node:fs";
    const module = await import(/* @vite-ignore */ name);
    if (typeof module?.readFileSync === "function") throw new Error("imported");
    throw new Error(CONTAINED);
  }),
);
probe("a built-in module", (_context, secretFile) => {
  for (const fs of [
    require("node:fs"),
    require("node:fs/promises"),
    require("node:child_process"),
    require("node:worker_threads"),
    require("node:vm"),
    require("node:inspector"),
    require("node:net"),
  ]) {
    for (const name of ["readFileSync", "readFile", "spawn", "execSync", "Worker", "runInThisContext", "open", "connect"])
      if (typeof fs[name] === "function") return `has ${name} for ${secretFile}`;
  }
  return CONTAINED;
});
probe("the environment", () => (Object.keys(process.env ?? {}).length === 0 ? CONTAINED : "environment"));
probe("native bindings", () => (caught(() => (process as Anything).binding("fs")) === undefined ? "bound" : CONTAINED));
probe("timers, network, workers and modules among the globals", () => {
  const names =
    "setTimeout setInterval setImmediate queueMicrotask fetch XMLHttpRequest WebSocket EventSource Worker MessageChannel BroadcastChannel SharedWorker URL structuredClone navigator performance importScripts require module global ShadowRealm";
  return (
    names
      .split(" ")
      .filter((name) => typeof own[name] !== "undefined")
      .join() || CONTAINED
  );
});
