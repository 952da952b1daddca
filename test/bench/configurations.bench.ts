// Random literal configurations: whether we and the toolkit's upload validator say the same of each.
import { compareRandom } from "../mutants/random-agreement.ts";
import { judge } from "./figures.ts";

const COUNT = 20_000;

export function benchConfigurations(): void {
  console.log("\nRandom configurations");
  const seed = Number(process.env.TESTS_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const { rejected, missed, ours, unknowable } = compareRandom(COUNT, seed);
  const unknown = [...unknowable.values()].reduce((sum, count) => sum + count, 0);
  const how = `${rejected} of ${COUNT} random configurations are rejected, from seed ${seed}`;
  judge({
    what: "random configurations that the toolkit's validator rejects, and we have no error for",
    target: "0",
    measured: `${missed.length}`,
    isMet: missed.length === 0,
    how: `${how}; ${unknown} more cannot be known from the source`,
  });
  judge({
    what: "errors in random configurations that the validator accepts",
    target: "0",
    measured: `${ours.length}`,
    isMet: ours.length === 0,
    how: `${how}; but for what cannot work once it runs`,
  });
  for (const text of missed) console.log(`    the validator alone: ${text}`);
  for (const text of ours) console.log(`    an error of ours alone: ${text}`);
  for (const [reason, count] of unknowable) console.log(`    unknowable, ${count} times: ${reason}`);
}
