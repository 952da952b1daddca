// Measures the memory that edits leave behind or, with the argument `analyses`, that successive analyses leave behind. Runs in a separate
// process, because the heap of other tests would count. Prints the bytes for each edit or analysis.
import assert from "node:assert/strict";
import { type HeapProfiler, Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createAnalysis } from "../../server/analysis/analysis.ts";

const TIMES = 1_000;
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

setFlagsFromString("--expose-gc");
// Young garbage would count as left during an incremental marking. Marking therefore happens once before, and V8 starts none during the
// measurement except for lack of memory.
setFlagsFromString("--no-incremental-marking");
const collect = runInNewContext("gc") as (options?: { type: "minor" }) => void;
const analysis = createAnalysis({ readFile: () => undefined });
const at = SOURCE.indexOf("HeaderBearerToken");

const type = (count: number): void => {
  for (let edit = 0; edit < count; edit++) {
    analysis.change("/pack.ts", [edit % 2 === 0 ? { start: at, end: at, text: "x" } : { start: at, end: at + 1, text: "" }]);
    assert.equal(
      analysis.diagnostics("/pack.ts").some(({ rule }) => rule === "auth-type-unknown"),
      edit % 2 === 0,
    );
  }
};

const host = { readFile: (path: string) => (path === "/pack.ts" ? SOURCE.replace("HeaderBearerToken", "HeaderToken") : undefined) };
const analyse = (count: number): void => {
  for (let time = 0; time < count; time++) {
    const fresh = createAnalysis(host);
    fresh.addCandidates(["/pack.ts"]);
    assert.ok(fresh.diagnostics("/pack.ts").some(({ fixes }) => fixes.length > 0));
  }
};

const isOfAnalyses = process.argv[2] === "analyses";
const work = isOfAnalyses ? analyse : type;
if (!isOfAnalyses) analysis.open("/pack.ts", SOURCE);
work(200);

async function measure(): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", { samplingInterval: 8_192, includeObjectsCollectedByMajorGC: true });
  // As in an editor that is open for long: all live objects are old, and must not reference the new ones.
  collect();
  work(TIMES);
  // Objects that survive the first collection are moved, and those that survive the second become old.
  for (let round = 0; round < 2; round++) collect({ type: "minor" });
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  console.log(Math.round(sizeOf(profile.head) / TIMES));
}

void measure();
