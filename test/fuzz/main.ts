// `npm run fuzz -- [--count N] [--seed S] [--minutes M] [--repeated]`: mutated packs and changing workspaces, or structures that repeat, until the
// count or the time is up; what fails is written out with its seed.
import { parseArgs } from "node:util";
import { fuzzOnce } from "./fuzz.ts";
import { fuzzRepeated } from "./repeated-sources.ts";
import { fuzzSources } from "./sources.ts";
import { fuzzWorkspace } from "./workspace.ts";

const { values } = parseArgs({
  options: {
    repeated: { type: "boolean", default: false },
    count: { type: "string", default: "100000" },
    seed: { type: "string" },
    minutes: { type: "string", default: "600" },
  },
});
const count = Number(values.count);
const first = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const deadline = Date.now() + Number(values.minutes) * 60_000;
if (![count, first, deadline].every(Number.isFinite)) throw new Error("--count, --seed and --minutes take numbers.");

if (values.repeated) {
  const slow = await fuzzRepeated(first, count, deadline, (line) => console.log(line));
  process.exit(slow > 0 ? 1 : 0);
}
const sources = fuzzSources();
const times: number[] = [];
let inputs = 0;
let failures = 0;
console.log(`Fuzzing ${sources.length} packs, ${count} inputs from seed ${first}, Node ${process.version}`);
for (let seed = first; inputs < count && Date.now() < deadline; seed++) {
  try {
    // One workspace to twenty packs.
    if (seed % 20 === 0) inputs += fuzzWorkspace(seed);
    const result = await fuzzOnce(sources, seed, { fixesAt: 1 });
    inputs += result.inputs;
    times.push(result.slowest);
    if (result.slowest > 2_000) throw new Error(`seed ${seed} took ${Math.round(result.slowest)} ms`);
  } catch (error) {
    failures++;
    inputs++;
    console.error(error);
  }
  if (times.length % 10_000 === 0) console.log(`${inputs} inputs, ${failures} failures`);
}
times.sort((a, b) => a - b);
const at = (quantile: number): string => `${(times[Math.min(times.length - 1, Math.floor(times.length * quantile))] ?? 0).toFixed(1)} ms`;
console.log(`${inputs} inputs, ${failures} failures; slowest edit of a pack: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`);
process.exitCode = failures > 0 ? 1 : 0;
