// The client in the real VS Code: what the editor itself measures of its activation, and how long the rest of it takes to load when a
// pack is there. The first start in a new window, and later ones.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openWindow } from "../e2e/support/embedded.ts";
import { hasChromium } from "../support/chromium.ts";
import { judge, notRun } from "./figures.ts";
import { median, milliseconds } from "./statistics.ts";
import { makeWorkplace, packsBySize, root } from "./workplace.ts";

const WINDOWS = 3;
const RELOADS = 2;
/** A window that has not answered after this long does not. */
const PATIENCE = 120_000;

interface Start {
  /** Milliseconds, as the editor rounds them. */
  readonly load: number;
  readonly call: number;
  readonly found: boolean;
  /** Milliseconds from the sign of a pack until everything is registered and the language server is started. */
  readonly opened?: number;
}

export async function benchActivation(): Promise<void> {
  console.log("\nActivation of the client, in the real VS Code");
  if (!hasChromium) return notRun("Activation of the client: Chromium is missing.");
  const starts: { readonly first: Start[]; readonly later: Start[] } = { first: [], later: [] };
  for (let window = 0; window < WINDOWS; window++) {
    const [first, ...later] = await startsOfOneWindow();
    if (first !== undefined) starts.first.push(first);
    starts.later.push(...later);
  }
  for (const [when, all] of [
    ["first start", starts.first],
    ["later starts", starts.later],
  ] as const) {
    const activation = all.map(({ load, call }) => load + call);
    const part = (name: "load" | "call"): string => milliseconds(median(all.map((start) => start[name])));
    judge({
      what: `activation of the client, ${when}`,
      target: "≤ 50 ms",
      measured: milliseconds(median(activation)),
      met: median(activation) <= 50,
      how: `the editor's own marks and statistics, median of ${all.length}: code loaded in ${part("load")}, activate called in ${part("call")}`,
    });
    judge({
      what: `a pack is seen → the client is there for it, ${when}`,
      target: "–",
      measured: milliseconds(median(all.map(({ opened }) => opened ?? Number.POSITIVE_INFINITY))),
      how: "after activation, in workspaces with packs only: the rest of the client loaded, the language server being started",
    });
  }
}

async function startsOfOneWindow(): Promise<readonly Start[]> {
  const workplace = makeWorkplace();
  workplace.write("pack.ts", packsBySize()[1]?.text ?? "");
  const answer = join(workplace.folder, "activation.json");
  const window = await openWindow({ folder: workplace.folder, from: "source", tests: join(root, "test/bench/in-host/activation.cjs") });
  try {
    const starts: Start[] = [];
    for (let start = 0; start <= RELOADS; start++) {
      if (start > 0) await window.page.reload();
      for (const end = Date.now() + PATIENCE; !existsSync(answer); await window.page.waitForTimeout(200))
        if (Date.now() > end) throw new Error(`the window did not answer\n${window.serverLog()}`);
      await window.page.waitForTimeout(500);
      const told = JSON.parse(readFileSync(answer, "utf8")) as Start | { readonly error: string };
      if ("error" in told) throw new Error(told.error);
      starts.push(told);
      rmSync(answer);
    }
    return starts;
  } finally {
    await window.close();
    workplace.remove();
  }
}
