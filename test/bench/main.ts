// `npm run bench`: every figure in one run, ours and a real peer in turns, so that the ratios mean something on any machine.
import { build } from "../../scripts/build.ts";
import { benchCheck } from "./check.bench.ts";
import { benchLanguageServer } from "./lsp.bench.ts";
import { benchMutants } from "./mutants.bench.ts";
import { benchRun } from "./run.bench.ts";
import { benchSignIn } from "./sign-in.bench.ts";

await build({ watch: false });
console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
const only = process.argv.slice(2);
const benches = { lsp: benchLanguageServer, check: benchCheck, run: benchRun, mutants: benchMutants, signIn: benchSignIn };
for (const [name, bench] of Object.entries(benches)) {
  if (only.length === 0 || only.includes(name)) await bench();
}
