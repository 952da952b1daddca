import assert from "node:assert/strict";
import { processorTime } from "../../../platform/child-process/processor-time.ts";
import { notRun } from "../../support/not-run.ts";

describe("The processor time of a process", () => {
  if (process.platform !== "linux") notRun("the processor time of a process (it is read on Linux only)");
  else
    it("the time grows with work, and is unknown for a process that is gone", () => {
      const before = processorTime(process.pid) ?? Number.NaN;
      const { user } = process.cpuUsage();
      while (process.cpuUsage().user - user < 100_000);
      assert.ok((processorTime(process.pid) ?? 0) >= before + 50);
      assert.equal(processorTime(2 ** 22 + 1), undefined);
      assert.equal(processorTime(undefined), undefined);
    });
});
