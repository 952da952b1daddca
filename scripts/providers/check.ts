// `npx tsx scripts/providers/check.ts [files]`: checks the pages of providers, by default all.
import { basename } from "node:path";
import { providerIds, providerPages } from "./pages.ts";

const files = process.argv.slice(2);
const ids = files.length === 0 ? providerIds() : files.map((file) => basename(file, ".yaml"));
try {
  console.log(`${providerPages(ids).length} pages have the right form.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
