// `npx tsx scripts/providers/check.ts [--old] [--strengths] [files]`: checks the pages of providers, by default all. `--old` lists what was read
// more than a year ago, and `--strengths` each fact with what it rests on.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { isDocumented } from "../../spec/provider-readings.ts";
import { providerIds, providerPages, unverifiedPages } from "./pages.ts";

const { positionals: files, values } = parseArgs({
  allowPositionals: true,
  options: { old: { type: "boolean" }, strengths: { type: "boolean" } },
});
const isYearOld = (date: string): boolean => Date.parse(date) < Date.now() - 365 * 86_400_000;
try {
  const pages =
    files.length === 0
      ? [...providerPages(providerIds()), ...unverifiedPages()]
      : providerPages(files.map((file) => basename(file, ".yaml")));
  const old = pages.flatMap(({ id, sources }) =>
    sources.filter(({ checked }) => isYearOld(checked)).map(({ read, checked }) => `${id}: ${read}, read on ${checked}`),
  );
  if (values.strengths)
    for (const page of pages)
      for (const fact of Object.keys(page.sourcesOf)) {
        const strength = isDocumented(page, fact) ? "documented" : "uses";
        console.log(`${page.id} ${fact} ${fact in page.demands ? "demands" : fact in page.accepts ? "accepts" : strength}`);
      }
  if (values.old) console.log(old.length === 0 ? "Everything was read within a year." : old.join("\n"));
  console.log(`${pages.length} pages have the right form.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
