// The pack process: receives messages from the host, proves that its own layers are enforced, and runs one pack in one isolated realm.
// Invariant: no pack code runs before the self-test passed, and nothing but strings crosses the boundary.
import { randomBytes } from "node:crypto";
import { waitForDebugger } from "node:inspector";
import type { FromPackProcess, ToPackProcess } from "../../protocol/pack-process.ts";
import { removeWindowsVariables } from "./environment.ts";
import { listen, send } from "./pipe.ts";
import { createRealm, type Realm } from "./realm.ts";
import { testLayers } from "./self-test.ts";

const post = (message: FromPackProcess): void => send(JSON.stringify(message));

/** Returns random bytes of the outer realm as hex. An object is not converted to a number, because that would call into the realm. */
const random = (count: unknown): string =>
  typeof count === "number" ? randomBytes(Math.min(Math.max(count | 0, 0), 65_536)).toString("hex") : "";

/** An object is not converted to a string, because that would call into the realm. */
const isUrl = (text: unknown): boolean => typeof text === "string" && URL.canParse(text);

/** Undefined until all layers are known to be enforced. */
let realm: Realm | undefined;

/** Matches messages that answer pack code. They are only for the realm, which parses them itself. */
const FOR_REALM = /^\{"type":"fetch/;

function receive(json: string, attachment: string | undefined): void {
  if (FOR_REALM.test(json)) {
    realm?.receive(json, attachment);
    return;
  }
  const message = JSON.parse(json) as ToPackProcess;
  switch (message.type) {
    case "ping":
      post({ type: "pong", id: message.id });
      return;
    case "prepare": {
      const failure = realm?.prepare(attachment ?? "", message.filename);
      post(failure === undefined ? { type: "prepared" } : { type: "loadFailed", error: failure });
      return;
    }
    case "load": {
      const failure = realm?.load(attachment ?? "", message.filename);
      if (failure !== undefined) post({ type: "loadFailed", error: failure });
      return;
    }
    case "validate": {
      const failure = realm?.addValidator(attachment ?? "", message.filename);
      if (failure === undefined) realm?.receive(json, undefined);
      else post({ type: "validated", id: message.id, isUsable: false, metadata: "", errors: [], warnings: [] });
      return;
    }
    default:
      if (message.type === "execute" && message.waitForDebugger === true) waitForDebugger();
      realm?.receive(json, attachment);
  }
}

// An unhandled rejection of the pack must not end the process.
process.on("unhandledRejection", () => {});

// Errors that pack code throws where nothing catches them end the process. Examples are a FinalizationRegistry's callback and a replaced
// built-in. Node would read the error when it exits, and so call functions of the pack. This callback does not read it.
function keepErrorsUnread(): void {
  process.setUncaughtExceptionCaptureCallback(() => {
    process.stderr.write("Pack code threw an error where nothing could catch it, such as in the callback of a FinalizationRegistry.\n");
    process.exit(1);
  });
}

async function start(): Promise<void> {
  const [, , canary = "", tolerate = ""] = process.argv;
  removeWindowsVariables(process.env, process.platform);
  const layers = await testLayers({
    canary,
    tolerate: tolerate.split(",").filter(Boolean),
    makeRealm: () => createRealm({ send: () => {}, random, isUrl }),
  });
  if (layers.every((layer) => layer.isEnforced)) realm = createRealm({ send, random, isUrl });
  keepErrorsUnread();
  listen(receive);
  post({ type: "ready", selfTest: { node: process.version, layers } });
}

// A process that cannot test itself runs nothing. The host reports the reason.
start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
