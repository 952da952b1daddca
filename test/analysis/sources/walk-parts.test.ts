// The walk goes into every part of a statement in which values stand: it must leave none of them out.
import assert from "node:assert/strict";
import { createSource } from "../../../server/analysis/source/source.ts";

const CALL = `pack.addNetworkDomain("example.com")`;

const PLACES: readonly string[] = [
  `${CALL};`,
  `function setUp(domain = ${CALL}) {}`,
  `function setUp({ domain = ${CALL} }) {}`,
  `function setUp({ [${CALL}]: domain }) {}`,
  `function setUp({ inner: { domain = ${CALL} } }) {}`,
  `function setUp([first, domain = ${CALL}]) {}`,
  `function setUp([, ...[domain = ${CALL}]]) {}`,
  `function setUp() { ${CALL}; }`,
  `export default async function* () { yield ${CALL}; }`,
  `const setUp = function named(domain = ${CALL}) {};`,
  `const setUp = async (domain = ${CALL}) => domain;`,
  `const setUp = () => ${CALL};`,
  `const setUp = () => { return ${CALL}; };`,
  `const [domain = ${CALL}] = list;`,
  `const { domain = ${CALL} } = settings;`,
  `const { [${CALL}]: domain } = settings;`,
  `class Own { constructor(@given(${CALL}) private domain: string) {} }`,
  `class Own { setUp(domain: string = ${CALL}) {} }`,
  `if (${CALL}) {}`,
  `if (a) ${CALL};`,
  `if (a) {} else ${CALL};`,
  `if (a) {} else if (b) { ${CALL}; }`,
  `${CALL} && a;`,
  `a ?? ${CALL};`,
  `a = ${CALL};`,
  `a[${CALL}] += 1;`,
];

describe("calls of a pack", () => {
  for (const file of ["/pack.ts", "/pack.tsx"])
    for (const place of PLACES)
      it(`the call is found in ${place.replace(CALL, "…")} (${file})`, () => {
        const { calls } = createSource(file, `import * as coda from "@codahq/packs-sdk";\n${place}\n`).facts(["@codahq/packs-sdk"]);
        assert.deepEqual(
          calls.map(({ method }) => method),
          ["addNetworkDomain"],
        );
      });
});
