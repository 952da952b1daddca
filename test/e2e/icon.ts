// `npm run icon`: draws media/icon.png, the Marketplace's, of media/pack-auth.svg, which is the activity bar's.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchChromium } from "../support/chromium.ts";

const root = join(import.meta.dirname, "../..");
const SIZE = 256;
/** Also the banner's colour, in package.json. */
const BACKGROUND = "#1b2a41";

const svg = readFileSync(join(root, "media/pack-auth.svg"), "utf8");
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
  await page.setContent(`<style>
    body { margin: 0; background: transparent }
    div { width: ${SIZE}px; height: ${SIZE}px; border-radius: 48px; background: ${BACKGROUND}; color: #f5f7fa; display: grid; place-items: center }
    svg { width: 176px; height: 176px }
  </style><div>${svg}</div>`);
  writeFileSync(join(root, "media/icon.png"), await page.screenshot({ omitBackground: true }));
} finally {
  await browser.close();
}
