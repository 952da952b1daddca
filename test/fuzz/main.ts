// `npm run fuzz -- [--count N] [--seed S] [--minutes M] [--repeated]`: mutated packs and changing workspaces, or structures that repeat, until the
// count or the time is up. Each input is compared with an analysis in a second process, with every fix. What differs is written out with its seed;
// a run that was stopped says with which seed to go on.
import { parseArgs } from "node:util";
import { fuzzOnce } from "./fuzz.ts";
import { fuzzRepeated } from "./repeated-sources.ts";
import { fuzzSeeds } from "./seeds.ts";
import { fuzzSources } from "./sources.ts";
import { fuzzWorkspace } from "./workspace.ts";

const { values } = parseArgs({
  options: {
    repeated: { type: "boolean", default: false },
    count: { type: "string", default: "200000" },
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
/** How often progress is told. */
const REPORT_INTERVAL = 1_000;
let inputs = 0;
let reportedInputs = 0;
let differences = 0;
let next = first;
let isStopped = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    isStopped = true;
  });
console.log(`Fuzzing ${sources.length} packs, ${count} inputs from seed ${first}, Node ${process.version}`);
// One workspace to twenty packs.
const fuzz = (seed: number) => (seed % 21 === 0 ? fuzzWorkspace(seed, { fixesAt: 1 }) : fuzzOnce(sources, seed, { fixesAt: 1 }));
for await (const result of fuzzSeeds(first, fuzz)) {
  inputs += result.inputs;
  times.push(result.slowest);
  next = result.seed + 1;
  const error = result.slowest > 2_000 ? new Error(`seed ${result.seed} took ${Math.round(result.slowest)} ms`) : result.error;
  if (error !== undefined) {
    differences++;
    console.error(error);
  }
  if (inputs - reportedInputs >= REPORT_INTERVAL) {
    reportedInputs = inputs;
    console.log(`${inputs} inputs, ${differences} differences, next seed ${next}`);
  }
  if (inputs >= count || isStopped || Date.now() >= deadline) break;
}
times.sort((a, b) => a - b);
const at = (quantile: number): string => `${(times[Math.min(times.length - 1, Math.floor(times.length * quantile))] ?? 0).toFixed(1)} ms`;
console.log(
  `${inputs} inputs from seed ${first}, ${differences} differences; slowest edit of a pack: p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`,
);
if (inputs < count) console.log(`To go on: npm run fuzz -- --seed ${next} --count ${count - inputs}`);
process.exit(differences > 0 ? 1 : 0);
