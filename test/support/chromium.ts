// The browser that tests drive: Debian's headless shell, which takes half the processor time of the whole browser, or else that one.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));

export const hasChromium = CHROMIUM !== undefined;

export function launchChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("Chromium is missing. Install it: apt-get install chromium-headless-shell");
  return chromium.launch({
    executablePath: CHROMIUM,
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
