// The pack process: takes JSON messages from the host, proves that its own layers hold, and runs one pack in one realm that
// has no way out. Invariant: no pack code runs before the self-test held, and nothing but strings crosses the boundary.
import { randomBytes } from "node:crypto";
import type { FromPackProcess, ToPackProcess } from "../../protocol/pack-process.ts";
import { createRealm, type Realm } from "./realm.ts";
import { testLayers } from "./self-test.ts";

const send = (text: string): void => {
  process.send?.(text);
};
const post = (message: FromPackProcess): void => send(JSON.stringify(message));

/** The outer realm's own random source, as hex; counts are checked inside the realm too. */
const random = (count: number): string => randomBytes(Math.min(Math.max(count | 0, 0), 65_536)).toString("hex");

let realm: Realm | undefined;
let trusted = false;

function receive(text: string): void {
  const message = JSON.parse(text) as ToPackProcess;
  if (message.type === "load") {
    if (!trusted) return;
    realm = createRealm({ send, random });
    const failure = realm.load(message.code, message.filename);
    if (failure !== undefined) post({ type: "loadFailed", error: failure });
    return;
  }
  realm?.receive(text);
}

// A rejection that the pack forgot is the pack's own business; it must not take the process down.
process.on("unhandledRejection", () => {});
process.on("disconnect", () => process.exit(0));
process.on("message", (text) => {
  if (typeof text === "string") receive(text);
});

async function start(): Promise<void> {
  const [, , canary = "", tolerate = ""] = process.argv;
  const layers = await testLayers({
    canary,
    tolerate: tolerate.split(",").filter(Boolean),
    makeRealm: () => createRealm({ send: () => {}, random }),
  });
  trusted = layers.every((layer) => layer.holds);
  post({ type: "ready", selfTest: { node: process.version, layers } });
}

// A process that cannot test itself runs nothing; the host tells why.
start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
