// A reader of cURL commands and descriptions of APIs that others wrote.
import type { NpmPackages } from "../../scripts/npm-packages.ts";

export const packages: NpmPackages = {
  folder: import.meta.dirname,
  name: "the judges of set-up for the tests",
  megabytes: 11,
  options: [],
  assertSupported() {},
  finish: async () => {},
};
