// The Node versions that the product must run on.
import type { NpmPackages } from "../../scripts/npm-packages.ts";

export const packages: NpmPackages = {
  folder: import.meta.dirname,
  name: "Node 20, 22 and 24 for the tests",
  megabytes: 147,
  options: [],
  assertSupported() {
    if (process.platform !== "linux" || process.arch !== "x64") throw new Error("The other Node versions are for Linux x64 only.");
  },
  finish: async () => {},
};
