// Loaded before the journeys: they share what starts slowly, and where one fails, there is a picture and what the editor showed.
import { closeEditors, openWindows, pictureOf, shareEditors } from "./embedded.ts";

export const mochaHooks = {
  beforeAll: shareEditors,
  afterAll: closeEditors,
  async afterEach(this: Mocha.Context): Promise<void> {
    const test = this.currentTest;
    if (test?.state !== "failed") return;
    for (const window of openWindows) {
      const name = `failed-${test.fullTitle().replace(/\W+/g, "-").slice(0, 80)}`;
      await window.page.screenshot({ path: pictureOf(name) }).catch(() => {});
      console.log(await window.report());
    }
  },
};
