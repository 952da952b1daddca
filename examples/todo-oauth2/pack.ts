// A to-do list behind OAuth 2.0: scopes, PKCE, a connection name, formulas and a sync table of two pages.
import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

const API = "https://api.todo.example";

pack.addNetworkDomain("todo.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://auth.todo.example/authorize",
  tokenUrl: "https://auth.todo.example/token",
  scopes: ["tasks:read", "tasks:write"],
  useProofKeyForCodeExchange: true,
  getConnectionName: async function (context) {
    const response = await context.fetcher.fetch({ method: "GET", url: `${API}/me` });
    return response.body.email;
  },
});

const TaskSchema = coda.makeObjectSchema({
  properties: {
    id: { type: coda.ValueType.String },
    name: { type: coda.ValueType.String },
    due: { type: coda.ValueType.String, codaType: coda.ValueHintType.Date },
    done: { type: coda.ValueType.Boolean },
  },
  displayProperty: "name",
  idProperty: "id",
  featuredProperties: ["due", "done"],
});

pack.addFormula({
  name: "GetTask",
  description: "Gets one task.",
  parameters: [
    coda.makeParameter({ type: coda.ParameterType.String, name: "taskId", description: "The task's id.", suggestedValue: "7" }),
  ],
  resultType: coda.ValueType.Object,
  schema: TaskSchema,
  execute: async function ([taskId], context) {
    const response = await context.fetcher.fetch({ method: "GET", url: `${API}/v1/tasks/${encodeURIComponent(taskId)}` });
    // An answer that broke off is text, and no task.
    if (typeof response.body.id !== "string") throw new coda.UserVisibleError(`The list sent no task ${taskId}. Try again.`);
    return response.body;
  },
});

pack.addFormula({
  name: "FindTasks",
  description: "Lists tasks, all or only those that are done.",
  parameters: [
    coda.makeParameter({ type: coda.ParameterType.Boolean, name: "onlyDone", description: "Only tasks that are done.", optional: true }),
    coda.makeParameter({ type: coda.ParameterType.Number, name: "limit", description: "At most this many.", optional: true }),
  ],
  resultType: coda.ValueType.Array,
  items: TaskSchema,
  execute: async function ([onlyDone, limit = 10], context) {
    const response = await context.fetcher.fetch({ method: "GET", url: `${API}/v1/tasks` });
    const tasks: Array<{ id: string; name: string; due: string; done: boolean }> = response.body.tasks;
    return tasks.filter((task) => !onlyDone || task.done).slice(0, limit);
  },
});

pack.addFormula({
  name: "CountWords",
  description: "Counts the words of a text. It needs no account.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "Any text." })],
  resultType: coda.ValueType.Number,
  connectionRequirement: coda.ConnectionRequirement.None,
  execute: async function ([text]) {
    return text.split(/\s+/).filter(Boolean).length;
  },
});

pack.addSyncTable({
  name: "Tasks",
  description: "All tasks.",
  identityName: "Task",
  schema: TaskSchema,
  formula: {
    name: "SyncTasks",
    description: "Syncs the tasks.",
    parameters: [],
    execute: async function ([], context) {
      const page = Number(context.sync.continuation?.page ?? 1);
      const response = await context.fetcher.fetch({ method: "GET", url: `${API}/v1/tasks/pages/${page}` });
      if (!Array.isArray(response.body.tasks)) throw new coda.UserVisibleError(`The list sent no tasks on page ${page}. Try again.`);
      return {
        result: response.body.tasks,
        continuation: response.body.more ? { page: page + 1 } : undefined,
      };
    },
  },
});
