import assert from "node:assert/strict";
import { notInTime } from "../../../platform/process/process-limits.ts";

describe("The hint for a pack that does not end in time", () => {
  for (const [worked, hint] of [
    [900, /^Look for an endless loop\.$/],
    [
      120,
      /^It had a processor for 0\.1 s of that time\. Look for a promise that never settles, or try again when the machine is less busy\.$/,
    ],
    [undefined, /^Look for an endless loop, or for a promise that never settles\.$/],
  ] as const)
    it(`a pack that had a processor for ${worked ?? "an unknown part"} of 1000 milliseconds gets its hint`, () => {
      assert.match(notInTime("execute", 1_000, worked).hint ?? "", hint);
    });
});
