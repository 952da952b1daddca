// The walk goes into every part of a statement in which values stand: it must leave none of them out.
import assert from "node:assert/strict";
import { z } from "zod";
import { createSource } from "../../../server/analysis/source/source.ts";
import { readTable } from "../../support/json-cases.ts";

const CALL = `pack.addNetworkDomain("example.com")`;

const PLACES = readTable(
  "test/analysis/sources/cases/parts-of-statements.json",
  z.array(z.string().transform((text) => text.replace("@call", () => CALL))),
);

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
