// Finds the browser for tests and pictures: a Chromium on the PATH, else the one of playwright-core, else the one from the npm registry.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { programsOnPath } from "../../platform/files/programs.ts";
import { installPackages } from "../npm-packages.ts";
import { assertUnpacked, type BrowserProgram, installedBrowser, packages } from "./install.ts";

/** The headless shell needs half the processor time of the whole browser. */
const NAMES = ["chromium-headless-shell", "chromium"];

/** Returns a browser, and installs one if there is none. Throws a one-line error if none can be installed. */
export async function findBrowser(): Promise<BrowserProgram> {
  const executablePath = [...NAMES.flatMap((name) => programsOnPath(name)), chromium.executablePath()].find((path) => existsSync(path));
  if (executablePath !== undefined) return { executablePath, env: {} };
  await installPackages(packages);
  assertUnpacked();
  return installedBrowser;
}
