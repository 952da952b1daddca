// Packs of a shape that real ones have, each with a mistake in it: one test for each, in which that is found and nothing else.
import assert from "node:assert/strict";
import { analyse, split } from "./analyse.ts";

/** By what each is: its source (`// @file: name.ts` begins a file of a source of several), and `file: rule text` of all that is to be flagged in it. */
type Shapes = Readonly<Record<string, readonly [source: string, ...findings: string[]]>>;

export function findsOnly(what: string, shapes: Shapes): void {
  describe(`shapes of packs: ${what}`, () => {
    for (const [name, [source, ...findings]] of Object.entries(shapes)) it(name, () => assert.deepEqual(flagged(source), findings));
  });
}

function flagged(source: string): readonly string[] {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .map(
        (diagnostic) =>
          `${file.slice("/pack/".length)}: ${diagnostic.rule} ${files[file]?.slice(diagnostic.place.start, diagnostic.place.end)}`,
      ),
  );
}
