// A pack for the journeys of the formula panel: what it takes and gives, and what its API answers in the sandbox.

export const PACK = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("lab.example");

pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

const CitySchema = coda.makeObjectSchema({
  properties: {
    name: { type: coda.ValueType.String },
    page: { type: coda.ValueType.String, codaType: coda.ValueHintType.Url },
    share: { type: coda.ValueType.Number, codaType: coda.ValueHintType.Percent },
  },
  displayProperty: "name",
});

pack.addFormula({
  name: "Cities",
  description: "Lists cities.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "country",
      description: "Where they are.",
      autocomplete: async (context: any, search: string) => {
        const response = await context.fetcher.fetch({ method: "GET", url: "https://api.lab.example/countries" });
        return coda.simpleAutocomplete(search, response.body.countries);
      },
    }),
  ],
  resultType: coda.ValueType.Array,
  items: CitySchema,
  execute: async function ([country], context) {
    console.log("asked for", country);
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.lab.example/cities" });
    return response.body.cities;
  },
});

pack.addSyncTable({
  name: "Tasks",
  description: "Tasks that can be edited.",
  identityName: "Task",
  connectionRequirement: coda.ConnectionRequirement.None,
  schema: coda.makeObjectSchema({
    properties: {
      id: { type: coda.ValueType.String },
      title: { type: coda.ValueType.String, mutable: true },
      size: {
        type: coda.ValueType.String,
        codaType: coda.ValueHintType.SelectList,
        mutable: true,
        options: async (context) => ["small", "medium", "large"].filter((size) => size.includes(context.search)),
      },
      tags: {
        type: coda.ValueType.Array,
        items: { type: coda.ValueType.String, codaType: coda.ValueHintType.SelectList, options: ["home", "work"] },
        mutable: true,
      },
    },
    displayProperty: "title",
    idProperty: "id",
  }),
  formula: {
    name: "SyncTasks",
    description: "Syncs tasks.",
    parameters: [],
    execute: async function () {
      return { result: [{ id: "1", title: "Buy milk", size: "large", tags: ["work"] }] };
    },
    executeUpdate: async function (args, updates) {
      console.log("changed", updates[0].updatedFields);
      return { result: updates.map((update) => ({ ...update.newValue, title: update.newValue.title + ", written" })) };
    },
  },
});

pack.addDynamicSyncTable({
  name: "Boards",
  description: "A table for each board.",
  identityName: "Board",
  listDynamicUrls: async () => [{ display: "Roadmap", value: "https://api.lab.example/boards/1" }],
  getName: async () => "Roadmap",
  getDisplayUrl: async (context) => context.sync.dynamicUrl!,
  getSchema: async () =>
    coda.makeObjectSchema({
      properties: {
        title: { type: coda.ValueType.String },
        lane: { type: coda.ValueType.String, codaType: coda.ValueHintType.SelectList, mutable: true, options: coda.OptionsType.Dynamic },
      },
      displayProperty: "title", idProperty: "title", featuredProperties: ["title"],
    }),
  propertyOptions: async (context) => {
    const response = await context.fetcher.fetch({ method: "GET", url: context.sync.dynamicUrl + "/lanes" });
    return response.body.lanes;
  },
  formula: {
    name: "SyncBoards",
    description: "Syncs a board.",
    parameters: [],
    execute: async function ([], context) {
      const response = await context.fetcher.fetch({ method: "GET", url: context.sync.dynamicUrl! });
      return { result: response.body.cards };
    },
    executeUpdate: async function (args, updates, context) {
      for (const update of updates) {
        await context.fetcher.fetch({ method: "PUT", url: context.sync.dynamicUrl!, body: JSON.stringify({ lane: update.newValue.lane }) });
      }
      return { result: updates.map((update) => update.newValue) };
    },
  },
});

pack.addSyncTable({
  name: "News",
  description: "What is new since the last time.",
  identityName: "Item",
  connectionRequirement: coda.ConnectionRequirement.None,
  schema: coda.makeObjectSchema({ properties: { item: { type: coda.ValueType.String } }, displayProperty: "item", idProperty: "item" }),
  formula: {
    name: "SyncNews",
    description: "Syncs news.",
    parameters: [],
    execute: async function ([], context) {
      const day = Number(context.sync.previousCompletion?.incrementalContinuation?.day ?? 0);
      return {
        result: [{ item: day === 0 ? "all of before" : "new on day " + day }],
        deletedRowIds: day === 0 ? [] : ["all of before"],
        completion: { incrementalContinuation: { day: day + 1 } },
      };
    },
  },
});

pack.addFormula({
  name: "Spin",
  description: "Never ends.",
  parameters: [],
  resultType: coda.ValueType.String,
  connectionRequirement: coda.ConnectionRequirement.None,
  execute: async function () {
    for (;;) {}
  },
});

pack.addSyncTable({
  name: "Numbers",
  description: "As many as wanted.",
  identityName: "Number",
  schema: coda.makeObjectSchema({ properties: { value: { type: coda.ValueType.Number } }, displayProperty: "value", idProperty: "value" }),
  formula: {
    name: "SyncNumbers",
    description: "Counts.",
    parameters: [],
    execute: async function ([], context) {
      const from = Number(context.sync.continuation?.from ?? 0);
      await context.fetcher.fetch({ method: "GET", url: "https://api.lab.example/tick?from=" + from });
      // Time enough for a person, and for a busy machine, to stop it before its 200 pages are there.
      for (const until = Date.now() + 100; Date.now() < until; );
      return { result: Array.from({ length: 5 }, (_, index) => ({ value: from + index })), continuation: { from: from + 5 } };
    },
  },
});
`;

export const LAB_STUBS = {
  answers: [
    { request: "GET https://api.lab.example/countries", body: { countries: ["Portugal", "Poland", "Peru"] } },
    { request: "GET https://api.lab.example/boards/1", body: { cards: [{ title: "Ship it", lane: "Doing" }] } },
    { request: "GET https://api.lab.example/boards/1/lanes", body: { lanes: ["Doing", "Done"] } },
    { request: "PUT https://api.lab.example/boards/1", body: {} },
    {
      request: "GET https://api.lab.example/cities",
      body: {
        cities: [
          { name: "Lisbon", page: "https://lab.example/lisbon", share: 0.05 },
          { name: "Porto", page: "https://lab.example/porto", share: 0.02 },
        ],
      },
    },
  ],
};
