// The thread that parses XML, so that a large document does not block the host's event loop. It has its own bundle, see xml-apart.ts.
import { parentPort } from "node:worker_threads";
import type { XmlParsed, XmlToParse } from "./xml-apart.ts";
import { parseXml } from "./xml-body.ts";

parentPort?.on("message", ({ id, text }: XmlToParse) => {
  const parsed = parseXml(text);
  const message: XmlParsed = parsed === undefined ? { id } : { id, json: JSON.stringify(parsed.value) };
  parentPort?.postMessage(message);
});
