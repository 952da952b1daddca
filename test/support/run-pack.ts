// A pack of small formulas and tables that a suite runs on its own wire, and functions that read its reports.
import assert from "node:assert/strict";
import type { Pack } from "../../platform/process/pack.ts";
import type { McpTarget } from "../../protocol/mcp.ts";
import type { RunReport, RunTarget } from "../../protocol/run.ts";
import { closePacks, pack } from "./open-packs.ts";
import { packFiles, removePackFiles } from "./pack-file.ts";
import { type RunOptions, run } from "./run.ts";
import { type SuiteWire, wireOfSuite } from "./wire.ts";

/**
 * The beginning of such a pack's source. `formula(name, execute, more)` adds a formula without an account, and `get(context, url)` reads a
 * body.
 */
export const RUN_PACK = `import * as coda from "@codahq/packs-sdk";
import fs from "fs";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
const { None } = coda.ConnectionRequirement;
const get = async (context: any, url: string, more = {}) => (await context.fetcher.fetch({ method: "GET", url, ...more })).body;
const formula = (name: string, execute: any, more = {}) =>
  pack.addFormula({ name, description: name, parameters: [], resultType: coda.ValueType.String, connectionRequirement: None, execute, ...more } as any);
`;

/** A schema whose names differ from those of the rows. */
export const ITEM_SCHEMA = `const Item = coda.makeObjectSchema({
  properties: {
    id: { type: coda.ValueType.Number, fromKey: "item_id", required: true },
    displayName: { type: coda.ValueType.String, fromKey: "name" },
    homepage: { type: coda.ValueType.String, codaType: coda.ValueHintType.Url },
    parts: { type: coda.ValueType.Array, items: coda.makeObjectSchema({ properties: { partNumber: { type: coda.ValueType.String, fromKey: "part_no" } } }) },
  },
  idProperty: "id", displayProperty: "displayName",
});
`;

export interface RunSuite {
  readonly wire: SuiteWire;
  /** Available while tests run. */
  readonly openedPack: Pack;
  go(target: RunTarget | McpTarget, parameters?: readonly unknown[], options?: Partial<RunOptions>): Promise<RunReport>;
  /** Returns the zero-based line of the source with the first occurrence of a text. */
  lineOf(text: string): number;
}

/** Opens the pack before the tests of the calling suite. `defaults` is called for each run. */
export function runsOfSuite(source: string, defaults: () => Partial<RunOptions> = () => ({})): RunSuite {
  const wire = wireOfSuite();
  let openedPack: Pack | undefined;
  before(async () => {
    openedPack = await pack(packFiles({ "pack.ts": source }));
  });
  after(() => {
    closePacks();
    removePackFiles();
  });
  const now = (): Pack => {
    if (openedPack === undefined) throw new Error("no test is running");
    return openedPack;
  };
  return {
    wire,
    get openedPack() {
      return now();
    },
    go: (target, parameters = [], options = {}) =>
      run(now(), target, parameters, { fetch: wire.fetch, lookup: wire.lookup, ...defaults(), ...options }),
    lineOf: (text) => source.slice(0, source.indexOf(text)).split("\n").length - 1,
  };
}

/** Makes the wire respond with the path and a running number, with exceptions for some paths. Returns a function that resets the number. */
export function countResponses(wire: SuiteWire): { startAnew(): void } {
  let served = 0;
  beforeEach(() => {
    served = 0;
    wire.respond = ({ path }, response) => {
      if (path === "/never") return;
      if (path === "/401" || path === "/429") response.statusCode = Number(path.slice(1));
      if (path === "/headers" || path === "/more") response.setHeader("link", "<next>").setHeader("x-total", "9");
      if (path === "/empty") response.setHeader("content-type", "application/json").end();
      else if (path === "/binary") response.setHeader("content-type", "image/png").end(Buffer.from([1, 2, 255]));
      else if (path === "/latin") response.setHeader("content-type", "text/plain").end(Buffer.from([0xe9]));
      else response.setHeader("content-type", "text/plain").end(`${path} ${++served}`);
    };
  });
  return {
    startAnew() {
      served = 0;
    },
  };
}

export const formula = (name: string): RunTarget => ({ kind: "formula", name });

/** Returns the value of a run, which must have succeeded. */
export function value(report: RunReport): unknown {
  assert.ok(report.outcome.status === "succeeded", JSON.stringify(report.outcome));
  return report.outcome.value;
}

/** Returns the code, message and next step of a run, which must have failed. */
export function failure(report: RunReport): string {
  assert.ok(report.outcome.status === "failed", JSON.stringify(report.outcome));
  const { code, message, hint, nextStep } = report.outcome.error;
  return [code, message, hint ?? nextStep?.do].join(" | ");
}
