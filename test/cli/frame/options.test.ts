// Calls that are wrong: each is told what was meant and what to do, in process.
import assert from "node:assert/strict";
import { z } from "zod";
import { readCheckOptions } from "../../../cli/check/check-options.ts";
import { readOptions } from "../../../cli/frame/options.ts";
import { RUN } from "../../../cli/run/run-options.ts";
import { UsageError } from "../../../cli/terminal/usage-error.ts";
import { readTarget } from "../../../operations/run/target.ts";
import type { PackDefinition } from "../../../protocol/definition.ts";
import { openTerminal } from "../../support/call-cli.ts";
import { pattern, readTable } from "../../support/json-cases.ts";

const { terminal } = openTerminal();

describe("options of the command line", () => {
  for (const [args, message] of readTable("test/cli/frame/cases/wrong-options.json", z.array(z.tuple([z.array(z.string()), pattern]))))
    it(`the error for ${args.join(" ")} explains what is wrong`, () => {
      assert.throws(
        () => readCheckOptions(args, terminal),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });

  it("negative numbers are words, and the value of no option", () => {
    const parametersFrom = (args: readonly string[]) => readOptions(RUN, args, terminal)?.positionals;
    assert.deepEqual(parametersFrom(["-5", "-1,-2.5", "-.5", "--json", "--", "-7", "-x"]), ["-5", "-1,-2.5", "-.5", "-7", "-x"]);
    assert.throws(() => parametersFrom(["-x"]), /There is no option -x/);
    assert.throws(() => parametersFrom(["--rows", "-5"]), /--rows needs a value/);
  });

  it("the dynamic URL is passed to each function of a table", () => {
    const definition = {
      formulas: [],
      syncTables: [
        { name: "Rows", parameters: [], varargParameters: [], isTwoWay: true, hasValidateParameters: true, functions: ["getSchema"] },
      ],
    } as unknown as PackDefinition;
    const updates = { previousValue: { Id: 1 }, newValue: { Name: "b" } };
    for (const what of ["", ":incremental", ":validateParameters", ":update", ":options:color", ":getSchema"]) {
      const request = { target: `Rows${what}`, words: [], dynamicUrl: "https://acme.example/1", updates };
      const { target } = readTarget(request, definition, { isSandbox: false, note: () => {} });
      assert.equal("dynamicUrl" in target ? target.dynamicUrl : undefined, "https://acme.example/1", what);
    }
  });

  it("paths that look like options are accepted behind --", () => {
    assert.deepEqual(readCheckOptions(["--fix", "--", "--odd.ts"], terminal)?.paths, ["--odd.ts"]);
  });
});
