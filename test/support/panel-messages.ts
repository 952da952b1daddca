// Short functions for messages of a host to the panel: parameters, formulas, requests and reports.
import type { ParameterDefinition } from "../../protocol/definition.ts";
import type { Runnable, ToPanel } from "../../protocol/panel.ts";
import type { RequestTrace, RunOutcome, RunReport } from "../../protocol/run.ts";

export const parameter = (name: string, more: Partial<ParameterDefinition> = {}): ParameterDefinition => ({
  name,
  description: `What ${name} is`,
  kind: "string",
  shape: "scalar",
  optional: false,
  hasAutocomplete: false,
  ...more,
});

export const formula = (parameters: readonly ParameterDefinition[], more: object = {}): Runnable => ({
  kind: "formula",
  definition: {
    name: "GetTask",
    description: "Gets a task",
    parameters,
    varargParameters: [],
    connectionRequirement: "required",
    isAction: false,
    ...more,
  },
});

export const show = (runnable: Runnable, more: Partial<ToPanel & { type: "show" }> = {}): ToPanel => ({
  type: "show",
  runnable,
  accountRequirement: "none",
  accounts: [],
  target: { entry: "/todo/pack.ts", kind: runnable.kind, name: "GetTask" },
  ...more,
});

export const request = (id: number, more: Partial<RequestTrace> = {}): RequestTrace => ({
  id,
  method: "GET",
  url: `https://api.todo.example/tasks/${id}`,
  startedAt: 1_000 + id * 10,
  duration: 20,
  status: 200,
  size: 1_234,
  requestHeaders: { authorization: "Bearer ••••", "x-note": "it's" },
  responseHeaders: { "content-type": "application/json" },
  responseBody: '{"a":1}',
  credentials: [{ carrier: "Authorization", host: "api.todo.example" }],
  warnings: [],
  ...more,
});

export const report = (outcome: RunOutcome, more: Partial<RunReport> = {}): RunReport => ({
  target: { kind: "formula", name: "GetTask" },
  startedAt: 1_000,
  duration: 84,
  outcome,
  requests: [],
  console: [],
  platformDifferences: [],
  ...more,
});

export const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: count - index, name: `Task ${index}`, done: index % 2 === 0 }));
