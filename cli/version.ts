import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Of the package that this bundle lies in. */
export function version(): string {
  return (JSON.parse(readFileSync(join(__dirname, "../package.json"), "utf8")) as { version: string }).version;
}
