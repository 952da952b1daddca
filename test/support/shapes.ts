// Packs of realistic shapes, each with a mistake. Each test checks that exactly this mistake is found.
import assert from "node:assert/strict";
import { analyse, split } from "./analyse.ts";

/** By title: the source, in which `// @file: name.ts` begins another file, and `file: rule text` for each expected finding. */
type Shapes = Readonly<Record<string, readonly [source: string, ...findings: string[]]>>;

export function findsOnly(what: string, shapes: Shapes): void {
  describe(`Shapes of packs: ${what}`, () => {
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
