// MCP clients that others wrote.
import type { NpmPackages } from "../../scripts/npm-packages.ts";

export const packages: NpmPackages = {
  folder: import.meta.dirname,
  name: "the MCP clients for the tests",
  megabytes: 33,
  options: [],
  assertSupported() {},
  finish: async () => {},
};
