// A thread that parses XML, so that a large document does not hold up the host's loop. A bundle of its own: see xml-apart.ts.
import { parentPort } from "node:worker_threads";
import type { XmlParsed, XmlToParse } from "./xml-apart.ts";
import { parseXml } from "./xml-body.ts";

parentPort?.on("message", ({ id, text }: XmlToParse) => {
  const parsed = parseXml(text);
  const message: XmlParsed = parsed === undefined ? { id } : { id, json: JSON.stringify(parsed.value) };
  parentPort?.postMessage(message);
});
