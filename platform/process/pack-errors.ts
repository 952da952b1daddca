// Describes what a pack throws in terms of its author's sources, and says whether the platform would fail there too.
import { quote } from "../../base/quote.ts";
import type { StackFrame } from "../../protocol/run.ts";
import type { PackBundle } from "../bundle/bundle.ts";
import { mapStack } from "../bundle/source-map.ts";
import { PackAuthError } from "../errors.ts";
import { PackThrew } from "./process.ts";

export const noDebugger = (node: string): PackAuthError =>
  new PackAuthError("debugger-unavailable", `This Node (${node}) has no debugger for isolated pack code.`, {
    hint: "Only debugging needs another one.",
    nextStep: { do: "chooseNode", versions: "24 or newer" },
  });

function framesOf(error: PackThrew, bundle: PackBundle): readonly StackFrame[] {
  return error.thrown.stack === undefined ? [] : mapStack(error.thrown.stack, bundle);
}

/** Returns the error of a pack that cannot be loaded. */
export function loadError(error: unknown, bundle: PackBundle): unknown {
  if (!(error instanceof PackThrew)) return error;
  if (error.thrown.name === "NotExported") {
    return new PackAuthError("pack-not-exported", "The entry file exports no pack.", {
      hint: "Export it: export const pack = coda.newPack();",
      location: { path: bundle.entry, line: 0, character: 0 },
    });
  }
  if (error.thrown.message.startsWith(CODE_FROM_STRINGS))
    return new PackAuthError(
      "code-from-strings",
      "The pack makes code from strings while it loads (new Function), which does not run here.",
      {
        hint: "Leave out the package or the line that does it. Whether the platform runs it is not known.",
        stackFrames: framesOf(error, bundle),
      },
    );
  const code = absentGlobal(error.thrown.message) === undefined ? "pack-throws-while-loading" : "pack-fails-on-platform";
  return new PackAuthError(code, `The pack throws while it loads: ${explain(error.thrown.message, quote(error.thrown.message))}`, {
    stackFrames: framesOf(error, bundle),
  });
}

/** Returns the error of an execution that threw. */
export function thrownError(error: PackThrew, bundle: PackBundle): PackAuthError {
  return new PackAuthError("pack-threw", explain(error.thrown.message), {
    stackFrames: framesOf(error, bundle),
    thrown: { name: error.thrown.name, userVisible: error.thrown.userVisible === true, isOwn: error.thrown.isOwn !== false },
  });
}

const ABSENT = new Set(
  "URL URLSearchParams TextEncoder TextDecoder atob btoa fetch require setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate structuredClone queueMicrotask AbortController AbortSignal XMLHttpRequest WebSocket Headers Request Response FormData Blob File ReadableStream performance navigator window document self localStorage Event EventTarget MessageChannel DOMException eval".split(
    " ",
  ),
);

/** Node modules that are empty in the SDK's build. */
const EMPTY_MODULES = new Set("fs child_process cluster dgram dns http2 inspector module net perf_hooks readline repl tls".split(" "));

/** The beginning of V8's message. The pack process refuses what the platform may run, so nothing is known about the pack there. */
const CODE_FROM_STRINGS = "Code generation from strings disallowed";

/** Appends an explanation if the message names something that the platform lacks too. */
function explain(message: string, shown = message): string {
  if (/^console\.\w+ is not a function$/.test(message.slice(0, 200)))
    return `${shown}: the platform's console has log, info, debug, trace, warn and error, and no other function`;
  if (message.startsWith(CODE_FROM_STRINGS)) return `${shown}: code from strings (new Function) does not run here`;
  // This is axios's message if it finds none of its network adapters.
  if (message.startsWith("There is no suitable adapter to dispatch the request"))
    return `${shown}\nUse context.fetcher.fetch. The platform's runtime has no other way to the network`;
  const emptyModule = /^import_([A-Za-z_]+)\d*\.(?:default\.)?\w+ is not a (?:function|constructor)$/.exec(message.slice(0, 200))?.[1];
  if (emptyModule !== undefined && EMPTY_MODULES.has(emptyModule))
    return `${shown}: Node's ${emptyModule} is empty in the platform's runtime, which has no files, processes or sockets`;
  const name = absentGlobal(message);
  if (name === "fetch" || name === "XMLHttpRequest")
    return `${shown}: use context.fetcher.fetch, because the platform's runtime has no ${name} either`;
  return name === undefined ? shown : `${shown}: the platform's runtime has no ${name} either, so the pack would fail there too`;
}

/** Returns the name of the global whose absence the message reports, if Node has it and the platform's runtime does not. */
function absentGlobal(message: string): string | undefined {
  const name = /^(?:Error: )?(?:(\w+) is not defined|(?:(?:globalThis|global)\.)?(\w+) is not a (?:function|constructor))$/
    .exec(message.slice(0, 200))
    ?.slice(1)
    .find((group) => group !== undefined);
  return name !== undefined && ABSENT.has(name) ? name : undefined;
}
