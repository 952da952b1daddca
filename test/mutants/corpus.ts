// The packs that mutants are made of: every sample of the toolkit's npm package, our own examples, and the packs of the checkouts in
// TESTS_CORPUS that set authentication, export their pack and are in order.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Analysis, createAnalysis } from "../../server/analysis/analysis.ts";
import { root } from "../support/packs.ts";

export interface BasePack {
  readonly name: string;
  /** The file that is changed: one of the pack's. */
  readonly file: string;
  readonly entry: string;
  readonly text: string;
  /** Knows the pack's files; what is changed in it is changed back. */
  readonly analysis: Analysis;
}

const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !path.endsWith(".d.ts");

export function readSource(path: string): string | undefined {
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
}

/** Each file of each pack that has authentication and no finding, in a stable order. */
export function basePacks(): readonly BasePack[] {
  const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples/packs");
  const corpora = (process.env.TESTS_CORPUS ?? "").split(":").filter(Boolean);
  const uniqueTexts = new Set<string>();
  // A checkout of the toolkit has the same samples again.
  return [samples, join(root, "examples"), ...corpora]
    .flatMap(packsUnder)
    .filter(({ text }) => (uniqueTexts.has(text) ? false : uniqueTexts.add(text) !== undefined));
}

function packsUnder(folder: string): readonly BasePack[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => isSource(path) && !path.slice(folder.length).includes("node_modules") && statSync(path).isFile())
    .sort();
  // The toolkit of this project stands for the one that a checkout would install.
  const analysis = createAnalysis({
    readFile: (path) =>
      readSource(path) ??
      (path.includes("/node_modules/@codahq/packs-sdk/") ? readSource(join(root, path.slice(path.indexOf("/node_modules/")))) : undefined),
  });
  analysis.addCandidates(files);
  return analysis.packs().flatMap((entry) => {
    const pack = analysis.packsOf(entry).find((candidate) => candidate.entry === entry);
    if (
      pack === undefined ||
      pack.partial ||
      pack.auths.length === 0 ||
      pack.auths.some(({ type }) => type === undefined || type === "None")
    )
      return [];
    if (pack.files.some((file) => analysis.diagnostics(file).some(({ severity }) => severity !== "information"))) return [];
    return pack.files.map((file) => ({ name: file.slice(folder.length + 1), file, entry, text: analysis.text(file) ?? "", analysis }));
  });
}
