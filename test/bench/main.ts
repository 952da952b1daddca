// `npm run bench`: every figure in one run, ours and a real peer in turns, so that the ratios mean something on any machine. With
// `--against <folder>`, only a comparison with a built checkout of another commit.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../../scripts/build.ts";
import { benchAgainst } from "./against.bench.ts";
import { benchBoundary } from "./boundary.bench.ts";
import { benchCheck } from "./check.bench.ts";
import { benchConfigurations } from "./configurations.bench.ts";
import { benchEditor } from "./editor.bench.ts";
import { writePerformance } from "./figures.ts";
import { benchLanguageServer } from "./lsp.bench.ts";
import { benchMutants } from "./mutants.bench.ts";
import { benchPanel } from "./panel.bench.ts";
import { peers } from "./peers.ts";
import { benchRun } from "./run.bench.ts";
import { benchStart } from "./start.bench.ts";

await build({ watch: false });
console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
/** Some benches by name; `--write` then writes what they found, and says what is left out. */
const { positionals: only, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean" }, against: { type: "string" } },
});
const benches = {
  lsp: benchLanguageServer,
  check: benchCheck,
  start: benchStart,
  editor: benchEditor,
  run: benchRun,
  boundary: benchBoundary,
  mutants: benchMutants,
  configurations: benchConfigurations,
  panel: benchPanel,
};
if (values.against !== undefined) await benchAgainst(resolve(values.against));
else
  for (const [name, bench] of Object.entries(benches)) {
    if (only.length === 0 || only.includes(name)) await bench();
  }
if (values.against === undefined && (only.length === 0 || values.write === true))
  writePerformance([
    ...Object.keys(benches)
      .filter((name) => only.length > 0 && !only.includes(name))
      .map((name) => `${name}: \`npm run bench\` measures it.`),
    ...(peers() === undefined ? ["ESLint: it could not be installed."] : []),
    ...(process.env.TESTS_CORPUS ? [] : ["Real packs beyond the toolkit's samples: name checkouts in TESTS_CORPUS."]),
  ]);
