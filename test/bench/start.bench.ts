// The language server from its start: until the first diagnostics, without and with compiled code; and what it takes of memory.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { judge } from "./figures.ts";
import { languageServer } from "./lsp-server.ts";
import { median, milliseconds } from "./statistics.ts";
import { makeWorkplace, packsBySize, root } from "./workplace.ts";

const PACKS = 20;

export async function benchStart(): Promise<void> {
  console.log("\nLanguage server: start and memory");
  const workplace = makeWorkplace();
  const cache = join(workplace.folder, "code");
  const [, pack] = packsBySize();
  try {
    const path = workplace.write("one/pack.ts", pack?.text ?? "");
    const start = async (): Promise<number> => {
      const startTime = performance.now();
      const server = await languageServer([join(root, "dist/server.cjs"), "--stdio"], path, pack?.text ?? "", {
        environment: { PACK_AUTH_CODE_CACHE: cache },
      });
      const took = performance.now() - startTime;
      await server.stop();
      return took;
    };
    const first: number[] = [];
    const later: number[] = [];
    for (let round = 0; round < 5; round++) {
      rmSync(cache, { recursive: true, force: true });
      first.push(await start());
      later.push(await start());
    }
    const how = `median of 5 starts with a pack of ${pack?.lines} lines`;
    judge({
      what: "server start → first diagnostics, first start",
      target: "≤ 550 ms",
      measured: milliseconds(median(first)),
      isMet: median(first) <= 550,
      how,
    });
    judge({
      what: "server start → first diagnostics, from the second start",
      target: "≤ 300 ms",
      measured: milliseconds(median(later)),
      isMet: median(later) <= 300,
      how: `${how}, compiled code kept from the first`,
    });
    await benchMemory(workplace, cache);
  } finally {
    workplace.remove();
  }
}

async function benchMemory(workplace: ReturnType<typeof makeWorkplace>, cache: string): Promise<void> {
  if (process.platform !== "linux") return;
  const [, pack] = packsBySize();
  const text = pack?.text ?? "";
  const paths = Array.from({ length: PACKS }, (_, index) => workplace.write(`packs/p${index}/pack.ts`, text));
  const server = await languageServer([join(root, "dist/server.cjs"), "--stdio"], paths[0] ?? "", text, {
    environment: { PACK_AUTH_CODE_CACHE: cache },
  });
  for (const path of paths.slice(1)) await server.open(path, text);
  for (let edit = 0; edit < 200; edit++) await server.edit(text, text.indexOf("AuthenticationType."), edit % 2 === 0);
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
  await server.stop();
  judge({
    what: `memory of the server, ${PACKS} packs`,
    target: "≤ 200 MB",
    measured: `${resident.toFixed(0)} MB`,
    isMet: resident <= 200,
    how: `resident, after ${PACKS} packs of ${pack?.lines} lines were opened and 200 edits`,
  });
}
