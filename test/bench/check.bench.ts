// `pack-auth check` as whole processes: one file against an empty node, all real packs against the linter and the type-checkers that authors
// run today, and thousands of files against hundreds.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { nodeVersions } from "../support/nodes.ts";
import { judge, judgeFaster, judgeRatio, notRun } from "./figures.ts";
import { peers } from "./peers.ts";
import { interleave, median, milliseconds } from "./statistics.ts";
import { makeWorkplace, root, samples, type Workplace } from "./workplace.ts";

const ROUNDS = 5;

export async function benchCheck(): Promise<void> {
  const workplace = makeWorkplace();
  try {
    await benchCold(workplace);
    const files = copyPacks(join(workplace.folder, "packs"));
    await benchCorpus(workplace, files);
    await benchGrowth(workplace);
  } finally {
    workplace.remove();
  }
}

const run = (workplace: Workplace, program: string, args: readonly string[]): void => {
  const { status, stderr } = spawnSync(program, args, {
    cwd: workplace.folder,
    encoding: "utf8",
    env: { ...process.env, PACK_AUTH_CODE_CACHE: join(workplace.folder, ".code") },
    maxBuffer: 2 ** 28,
  });
  if (status === null || status > 2) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
};

/** Whether a linter finds the `debugger` statement that is planted among the packs: one that looks at nothing is fast. */
const findsPlanted = (workplace: Workplace, program: string, args: readonly string[]): boolean => {
  const { stdout, stderr } = spawnSync(program, args, { cwd: workplace.folder, encoding: "utf8", maxBuffer: 2 ** 28 });
  return stdout.includes(PLANTED) && stdout.includes("no-debugger") && stderr === "";
};

const PLANTED = "planted-here.ts";

const cli = join(root, "dist/cli.cjs");

async function benchCold(workplace: Workplace): Promise<void> {
  console.log("\ncheck, one file, cold");
  cpSync(join(samples, "packs/github/full.ts"), join(workplace.folder, "one.ts"));
  workplace.write("empty.js", "");
  for (const node of nodeVersions()) {
    const most = node.name === "node20" ? 3.2 : undefined;
    run(workplace, node.path, [cli, "check", "one.ts"]);
    const times = await interleave(3 * ROUNDS, {
      ours: () => run(workplace, node.path, [cli, "check", "one.ts"]),
      empty: () => run(workplace, node.path, ["empty.js"]),
    });
    const [ours, empty] = [median(times.ours ?? []), median(times.empty ?? [])];
    const how = `median of ${3 * ROUNDS} processes: ${milliseconds(ours)}, an empty script ${milliseconds(empty)}; compiled code kept from an earlier run`;
    const what = `check, one file, against an empty ${node.name}`;
    if (most === undefined) judge({ what, target: "–", measured: `${(ours / empty).toFixed(2)} ×`, how });
    else judgeRatio(what, ours / empty, most, how);
  }
  await benchWithoutCertificates(workplace);
}

/** Where there are further certificates, Node 20 reads all root certificates at each start: what is empty takes most of its time for that. */
async function benchWithoutCertificates(workplace: Workplace): Promise<void> {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  if (certificates === undefined) return;
  delete process.env.NODE_EXTRA_CA_CERTS;
  const times = await interleave(3 * ROUNDS, {
    ours: () => run(workplace, process.execPath, [cli, "check", "one.ts"]),
    empty: () => run(workplace, process.execPath, ["empty.js"]),
  });
  process.env.NODE_EXTRA_CA_CERTS = certificates;
  const [ours, empty] = [median(times.ours ?? []), median(times.empty ?? [])];
  judge({
    what: "check, one file, against an empty node without NODE_EXTRA_CA_CERTS",
    target: "–",
    measured: `${(ours / empty).toFixed(2)} ×`,
    how: `median of ${3 * ROUNDS} processes: ${milliseconds(ours)}, an empty script ${milliseconds(empty)}; the other rows are measured with it, as it is set on this machine`,
  });
}

/** The real corpus where it is named, and the toolkit's own samples; how many sources. */
function copyPacks(folder: string): number {
  const corpora = [samples, ...(process.env.TESTS_CORPUS ?? "").split(":").filter(Boolean)];
  mkdirSync(folder);
  const sources = (from: string): readonly string[] =>
    readdirSync(from, { recursive: true, encoding: "utf8" }).filter(
      (name) => /(?<!\.d)\.tsx?$/.test(name) && !/(?:^|\/)(?:node_modules|\.git)\//.test(name),
    );
  return corpora.reduce((sum, corpus, index) => {
    const names = sources(corpus);
    for (const name of names) cpSync(join(corpus, name), join(folder, String(index), name));
    return sum + names.length;
  }, 0);
}

async function benchCorpus(workplace: Workplace, files: number): Promise<void> {
  console.log(`\ncheck, ${files} real files`);
  workplace.write(
    "tsconfig.json",
    JSON.stringify({ compilerOptions: { noEmit: true, strict: false, skipLibCheck: true, types: [] }, include: ["packs"] }),
  );
  workplace.write(`packs/${PLANTED}`, "debugger;\n");
  const modules = peers();
  const node = process.execPath;
  const contenders: Record<string, () => void> = {
    ours: () => run(workplace, node, [cli, "check", "packs"]),
    tsc6: () => run(workplace, node, [join(root, "node_modules/typescript-6/bin/tsc"), "-p", "."]),
  };
  if (modules !== undefined) {
    const parser = JSON.stringify(join(modules, "@typescript-eslint/parser/dist/index.js"));
    workplace.write(
      "eslint.config.cjs",
      `module.exports = [{ files: ["**/*.ts", "**/*.tsx"], languageOptions: { parser: require(${parser}) }, rules: { "no-debugger": "error" } }];\n`,
    );
    const args = [join(modules, "eslint/bin/eslint.js"), "--no-ignore", "packs"];
    if (findsPlanted(workplace, node, args)) contenders.eslint = () => run(workplace, node, args);
    else notRun("ESLint over real packs: it did not report the debugger statement that was planted among them.");
  } else notRun("ESLint over real packs: it could not be installed.");
  const times = await interleave(ROUNDS, contenders);
  const of = (name: string): number => median(times[name] ?? []);
  const how = (name: string, theirs: string): string =>
    `${files} files, median of ${ROUNDS} whole processes in turns: ${milliseconds(of("ours"))}, ${theirs} ${milliseconds(of(name))}`;
  if (contenders.eslint !== undefined)
    judgeFaster("check, real packs, than ESLint with one rule", of("eslint") / of("ours"), 2.5, how("eslint", "ESLint"));
  judgeFaster("check, real packs, than tsc 6", of("tsc6") / of("ours"), 5, how("tsc6", "tsc"));
}

/** Linear: a file more takes no longer where there are thousands than where there are hundreds. Copies of the samples, in folders of their own. */
async function benchGrowth(workplace: Workplace): Promise<void> {
  console.log("\ncheck, growth");
  const many = (folder: string, count: number): number => {
    let files = 0;
    for (let copy = 0; files < count; copy++) {
      cpSync(join(samples, "packs"), join(workplace.folder, folder, String(copy)), { recursive: true });
      files += readdirSync(join(samples, "packs"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts")).length;
    }
    return files;
  };
  const [few, lots] = [many("few", 200), many("lots", 2_000)];
  // Thousands of files that are still being written to the disk would slow the first runs down.
  spawnSync("sync");
  const times = await interleave(2 * ROUNDS + 1, {
    one: () => run(workplace, process.execPath, [cli, "check", "one.ts"]),
    few: () => run(workplace, process.execPath, [cli, "check", "few"]),
    lots: () => run(workplace, process.execPath, [cli, "check", "lots"]),
  });
  const of = (name: string): number => median(times[name] ?? []);
  const each = (of("lots") - of("few")) / (lots - few);
  const eachOfFew = (of("few") - of("one")) / (few - 1);
  judgeRatio(
    `check, each file more, from ${few} to ${lots}, against from 1 to ${few}`,
    each / eachOfFew,
    1.2,
    `median of ${2 * ROUNDS + 1} processes in turns: ${milliseconds(each)} against ${milliseconds(eachOfFew)}; ${few} files ${milliseconds(of("few"))}, ${lots} files ${milliseconds(of("lots"))}`,
  );
}
