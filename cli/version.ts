import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the version of the package that contains this bundle. */
export function version(): string {
  return (JSON.parse(readFileSync(join(__dirname, "../package.json"), "utf8")) as { version: string }).version;
}
