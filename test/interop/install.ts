// Authorization servers and MCP servers that others wrote.
import type { NpmPackages } from "../../scripts/npm-packages.ts";

export const packages: NpmPackages = {
  folder: import.meta.dirname,
  name: "the authorization servers for the tests",
  megabytes: 9,
  options: [],
  assertSupported() {},
  finish: async () => {},
};
