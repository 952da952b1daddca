// Starts the browser for tests.
import { type Browser, chromium } from "playwright-core";
import { findBrowser } from "../../scripts/browser/find-browser.ts";

/** Throws a one-line error if there is no browser and none can be installed. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await findBrowser();
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
