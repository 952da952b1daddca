// Loaded before the journeys: where one fails, a picture and what the editor showed.
import { openWindows } from "./embedded.ts";

export const mochaHooks = {
  async afterEach(this: Mocha.Context): Promise<void> {
    const test = this.currentTest;
    if (test?.state !== "failed") return;
    for (const window of openWindows) {
      await window.screenshot(`failed-${test.fullTitle().replace(/\W+/g, "-").slice(0, 80)}`).catch(() => {});
      console.log(await window.report());
    }
  },
};
