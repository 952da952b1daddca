// Measures what edits leave behind, in a process of its own: what other tests left in the heap would count. Prints the bytes of each edit.
import assert from "node:assert/strict";
import { type HeapProfiler, Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createAnalysis } from "../../server/analysis/analysis.ts";

const EDITS = 1_000;
const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
${Array.from(
  { length: 10 },
  (_, index) => `pack.addFormula({
  name: "Formula${index}", description: "", parameters: [], resultType: coda.ValueType.String,
  execute: async function (args, context) {
    let response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/${index}", headers: { "X-Key": "none" } });
    return response.body;
  },
});`,
).join("\n")}
`;

const sizeOf = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  children.reduce((sum, child) => sum + sizeOf(child), selfSize);

const type = (count: number): void => {
  for (let edit = 0; edit < count; edit++) {
    analysis.change("/pack.ts", [edit % 2 === 0 ? { start: at, end: at, text: "x" } : { start: at, end: at + 1, text: "" }]);
    assert.equal(
      analysis.diagnostics("/pack.ts").some(({ rule }) => rule === "auth-type-unknown"),
      edit % 2 === 0,
    );
  }
};

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;
const analysis = createAnalysis({ readFile: () => undefined });
analysis.open("/pack.ts", SOURCE);
const at = SOURCE.indexOf("HeaderBearerToken");
type(200);

async function measure(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", { samplingInterval: 8_192, includeObjectsCollectedByMajorGC: true });
  type(EDITS);
  // What outlives the first one is moved, what outlives the second one is taken for old.
  for (let round = 0; round < 2; round++) collect({ type: "minor" });
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  console.log(Math.round(sizeOf(profile.head) / EDITS));
}

void measure();
