// The panel with 10,000 rows of 20 columns, in a real browser: the time from the report's arrival to the first row on the screen, and what
// scrolling costs. Measured in the page itself.
import type { ToPanel } from "../../protocol/panel.ts";
import { openPanelPage, type PanelPage } from "../support/panel-page.ts";
import { closeBrowser } from "../support/webview-page.ts";
import { judge } from "./figures.ts";
import { median, quantile } from "./statistics.ts";

const RUNS = 5;

export async function benchPanel(): Promise<void> {
  const paints: number[] = [];
  const tasks: number[] = [];
  try {
    for (let run = 0; run < RUNS; run++) {
      const panel = await openPanelPage();
      await panel.post(FORMULA);
      paints.push(await firstPaint(panel));
      tasks.push(...(await scroll(panel)));
      await panel.close();
    }
  } finally {
    await closeBrowser();
  }
  const paint = median(paints);
  judge({
    what: "panel, 10,000 rows × 20 columns: first paint",
    target: "≤ 200 ms",
    measured: `${paint.toFixed(0)} ms`,
    isMet: paint <= 200,
    how: `median of ${RUNS}, from the report's arrival to the frame after the first row is there`,
  });
  const long = tasks.filter((task) => task > 50);
  judge({
    what: "panel, scrolling through them",
    target: "no task over 50 ms",
    measured: `${long.length} in ${RUNS * FRAMES} frames${long.length === 0 ? "" : `, p50 ${quantile(long, 0.5).toFixed(0)} ms`}`,
    isMet: long.length === 0,
    how: "100 pixels a frame, as a wheel scrolls; drawn in software, without a graphics card",
  });
}

const FORMULA: ToPanel = {
  type: "show",
  runnable: {
    kind: "formula",
    definition: { name: "Rows", parameters: [], varargParameters: [], connectionRequirement: "none", isAction: false },
  },
  accountRequirement: "none",
  accounts: [],
  target: { entry: "/bench/pack.ts", kind: "formula", name: "Rows" },
};

// Page code is text: the transpiler's helpers for named functions are not there.
const firstPaint = (panel: PanelPage): Promise<number> =>
  panel.page.evaluate(`new Promise((resolve) => {
    const value = Array.from({ length: 10000 }, (_, row) => Object.fromEntries(Array.from({ length: 20 }, (_, column) => ["column" + column, "value " + row + " " + column])));
    const report = { target: { kind: "formula", name: "Rows" }, startedAt: 1, duration: 1, outcome: { status: "succeeded", value, rows: value.length }, requests: [], console: [], platformDifferences: [] };
    let start;
    window.addEventListener("message", () => { start = performance.now(); }, { once: true, capture: true });
    window.postMessage({ type: "finished", report }, "*");
    const look = () => start !== undefined && document.querySelector(".grid-body .grid-row") ? requestAnimationFrame(() => resolve(performance.now() - start)) : requestAnimationFrame(look);
    look();
  })`) as Promise<number>;

const FRAMES = 120;

const scroll = (panel: PanelPage): Promise<readonly number[]> =>
  panel.page.evaluate(`new Promise((resolve) => {
    const tasks = [];
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) tasks.push(entry.duration); }).observe({ entryTypes: ["longtask"] });
    const grid = document.querySelector(".grid");
    let frames = 0;
    const step = () => {
      grid.scrollTop += 100;
      if (++frames < ${FRAMES}) requestAnimationFrame(step);
      else setTimeout(() => resolve(tasks), 300);
    };
    step();
  })`) as Promise<readonly number[]>;
