// Measures what edits leave behind, or, called with `analyses`, what analyses that come one after another do; in a process of its own: what
// other tests left in the heap would count. Prints the bytes of each.
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
// What is young and done with when the whole heap is looked through would count as left, so that is done once, before: no look of V8's own
// is under way then, or begins for another reason than that much is left.
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
  // Like an editor that is open for long: all that lives is old, and must not hold what comes after it.
  collect();
  work(TIMES);
  // What outlives the first one is moved, what outlives the second one is taken for old.
  for (let round = 0; round < 2; round++) collect({ type: "minor" });
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  console.log(Math.round(sizeOf(profile.head) / TIMES));
}

void measure();
