// `npx tsx scripts/providers/check.ts [--old] [files]`: checks the pages of providers, by default all. `--old` lists what was read more than a
// year ago.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { providerIds, providerPages, unverifiedPages } from "./pages.ts";

const { positionals: files, values } = parseArgs({ allowPositionals: true, options: { old: { type: "boolean" } } });
const isYearOld = (date: string): boolean => Date.parse(date) < Date.now() - 365 * 86_400_000;
try {
  const pages =
    files.length === 0
      ? [...providerPages(providerIds()), ...unverifiedPages()]
      : providerPages(files.map((file) => basename(file, ".yaml")));
  const old = pages.flatMap(({ id, sources }) =>
    sources.filter(({ checked }) => isYearOld(checked)).map(({ read, checked }) => `${id}: ${read}, read on ${checked}`),
  );
  if (values.old) console.log(old.length === 0 ? "Everything was read within a year." : old.join("\n"));
  console.log(`${pages.length} pages have the right form.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
