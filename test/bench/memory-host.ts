// A host that runs one table and tells what stays in its memory, page by page; a process of its own, so that garbage of other
// measurements does not count. Started by boundary.bench.ts with --expose-gc.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openPack } from "../../platform/process/pack.ts";
import { packProcesses } from "../support/pack-processes.ts";
import { run } from "../support/run.ts";
import { root } from "./workplace.ts";

/** Pages before and behind a mark that are looked at. */
export const SAMPLED = 10;

/** Bytes, each behind the page that they were looked at. */
export interface MemoryOverPages {
  /** Of one response. */
  readonly size: number;
  readonly heap: readonly (readonly [number, number])[];
  /** Of buffers and whatever else lies outside of the heap. */
  readonly outside: readonly (readonly [number, number])[];
  /** Resident, of the pack process, for every page. */
  readonly packs: readonly number[];
}

async function measure(entry: string, pages: number): Promise<MemoryOverPages> {
  const pack = await openPack(entry, {
    process: { runner: join(root, "dist/runner.cjs"), node: process.execPath },
    esbuildWasm: join(root, "dist/esbuild-wasm"),
  });
  const heap: [number, number][] = [];
  const outside: [number, number][] = [];
  const packs: number[] = [];
  const marks = [SAMPLED, 100, 500, pages - SAMPLED];
  const { outcome, requests } = await run(pack, { kind: "syncTable", name: "Filled" }, [], {
    fetch,
    allowLoopback: true,
    rowLimit: pages,
    onRows(page) {
      packs.push(packMemory());
      if (!marks.some((mark) => Math.abs(page - mark) <= SAMPLED)) return;
      // What the first one lets go of may have held something itself.
      gc?.();
      gc?.();
      const { heapUsed, external } = process.memoryUsage();
      heap.push([page, heapUsed]);
      outside.push([page, external]);
    },
  });
  pack.dispose();
  if (outcome.status !== "succeeded" || outcome.rows !== pages) throw new Error(JSON.stringify(outcome).slice(0, 500));
  return { size: requests[0]?.size ?? 0, heap, outside, packs };
}

/** Bytes of the largest pack process of this one. */
function packMemory(): number {
  const sizes = packProcesses().map((pid) => {
    try {
      return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096;
    } catch {
      // It ended meanwhile.
      return 0;
    }
  });
  return Math.max(0, ...sizes);
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) {
  const [, , entry = "", pages] = process.argv;
  process.send(await measure(entry, Number(pages)));
  process.disconnect();
}
