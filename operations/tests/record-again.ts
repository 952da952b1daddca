// Records saved tests again, under the same conditions.
import { z } from "zod";
import { PackAuthError } from "../../platform/errors.ts";
import { recordRun } from "../../platform/recordings/record-run.ts";
import { inputOfTest, targetName } from "../../platform/recordings/saved-test.ts";
import { refuseFailed } from "../../platform/recordings/test-file.ts";
import { failureMessage } from "../../platform/runs/failure-message.ts";
import { changesData } from "../../protocol/definition.ts";
import { accountInput, confirmedInput } from "../inputs.ts";
import type { Observer } from "../observer.ts";
import { operation } from "../operation.ts";
import { Runs } from "../run/runs.ts";
import { saveTest } from "../run/save-test.ts";
import { eachTest, testsInput } from "./each-test.ts";
import type { TestResult } from "./test-result.ts";

export const testRecordAgain = operation({
  about: "Records saved tests again, with the real API, or with the sandbox if a test was recorded there.",
  input: z.strictObject({ paths: testsInput, account: accountInput, confirmed: confirmedInput }),
  missing: {},
  run({ paths, account, confirmed: isConfirmed }, world, person, observer: Observer<TestResult>) {
    const runs = new Runs(world, observer);
    return eachTest(paths, world, observer, "failed", async (pack, test, file) => {
      const { sandbox = false, allowLoopback = false } = test;
      if (!sandbox && (changesData(pack.definition, test.target) || world.runs.guard !== undefined))
        throw new PackAuthError("recording-refused", "It changes data of a real account, so it is not recorded again automatically.", {
          nextStep: { do: "recordTest" },
        });
      const input = inputOfTest(test);
      const call = { pack, input, target: targetName(test.target), sandbox, account, limits: { allowLoopback } };
      const { choice: _, ...record } = await runs.run(call, {}, (runWorld, runObserver) => recordRun(input, runWorld, runObserver));
      refuseFailed(record.report, test);
      const expectsFailure = failureMessage(record.report) !== undefined;
      await saveTest(record, { path: file, isFolder: false }, { expectsFailure, isConfirmed }, world, person, observer);
      return { status: "updated", problems: [] };
    });
  },
});
