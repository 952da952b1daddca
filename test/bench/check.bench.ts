// `pack-auth check` over the toolkit's own samples against the type-checkers that authors run today.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { interleave, median, printRows } from "./statistics.ts";
import { makeWorkplace, root } from "./workplace.ts";

export async function benchCheck(): Promise<void> {
  const workplace = makeWorkplace();
  try {
    workplace.copySamples("packs");
    workplace.write(
      "tsconfig.json",
      JSON.stringify({ compilerOptions: { noEmit: true, strict: false, skipLibCheck: true, types: [] }, include: ["packs"] }),
    );
    const node = (script: string, args: readonly string[]) => () => {
      const { status, stderr } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: workplace.folder, encoding: "utf8" });
      if (status === null || status > 2) throw new Error(`${script}: ${stderr}`);
    };
    const samples = await interleave(5, {
      ours: node("dist/cli.cjs", ["check", "packs"]),
      "tsc 7 --noEmit": node("node_modules/typescript/bin/tsc", ["-p", "."]),
      "tsc 6 --noEmit": node("node_modules/typescript-6/bin/tsc", ["-p", "."]),
    });
    const ours = median(samples.ours ?? []);
    printRows(
      "check over documentation/samples/packs (5 whole processes each, in turns)",
      Object.entries(samples)
        .filter(([name]) => name !== "ours")
        .map(([peer, times]) => ({ what: "pack-auth check", ours, peer, theirs: median(times) })),
    );
  } finally {
    workplace.remove();
  }
}
