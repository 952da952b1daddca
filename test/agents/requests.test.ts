// A hostile agent: scripted calls that try to see, move or spend a real account's credential. Each line of a table is a call, or a few.
// test/support/hostile.ts checks after every call that the canary is nowhere, and that each request with a credential had a yes.
import assert from "node:assert/strict";
import { z } from "zod";
import { attacksOver, CANARY, folderOf, type Hostile, TOKEN } from "../support/hostile.ts";
import { readTable, texts } from "../support/json-cases.ts";
import { wireOfSuite } from "../support/wire.ts";

const bodies = texts;
/** Bodies of formulas, by what they try. */
const BODIES = readTable(
  "test/agents/cases/request-bodies.json",
  z.strictObject({ echo: bodies, placeholder: bodies, elsewhere: bodies, failing: bodies }),
);

describe("A hostile agent", function () {
  this.timeout(120_000);
  const wire = wireOfSuite();

  const { attack, formulas, count } = attacksOver(wire);

  const wasSent = (_ran: string, h: Hostile): void => assert.ok(h.sent().length > 0 && h.questions.length > 0, "the credential was sent");
  const wasNotSent = (ran: string, h: Hostile): void => assert.deepEqual([h.sent(), h.questions.length], [[], 0], ran);

  formulas("echo", {}, BODIES.echo, wasSent);

  const ROWS = `pack.addSyncTable({ name: "Rows", identityName: "Row", description: "Rows.", schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String }, name: { type: coda.ValueType.String } }, displayProperty: "name", idProperty: "id" }),
  formula: { name: "SyncRows", description: "Syncs.", parameters: [], execute: async (_: any, context: any) => {
    const { body } = await context.fetcher.fetch({ method: "GET", url: "https://good.example/rows" });
    const all = JSON.stringify(body);
    return { result: [{ id: all, name: body.headers.authorization, [all]: all }] };
  } } } as any);
`;
  const NAME =
    'pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: async (context: any) => JSON.stringify((await context.fetcher.fetch({ method: "GET", url: "https://good.example/me" })).body) } as any);';
  attack("echo", folderOf({ auth: NAME, tail: ROWS }), {
    "the key of a row": async (h) => wasSent(await h.run("Rows"), h),
    "the name of the account": async (h) => wasSent(await h.run("Auth:getConnectionName"), h),
    "the last run's requests": async (h) => {
      await h.run("Rows");
      wasSent(JSON.stringify(await h.call("requests")), h);
    },
    "the label of an account": async (h) => {
      await h.run("Auth:getConnectionName");
      await h.call("accounts");
    },
  });

  const values = { kind: "values", values: { key: CANARY, other: "another-secret-value" } } as const;
  const CUSTOM =
    'pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "" }, { name: "other", description: "" }] } as any);';
  const KEY = "const KEY = `{{key-${context.invocationToken}}}`;";
  const own = (bodies: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, `${KEY} ${body}`]));
  formulas("placeholder", { auth: CUSTOM, domains: '"good.example", "evil.example"' }, own(BODIES.placeholder), wasSent, values);
  formulas(
    "placeholder",
    { auth: CUSTOM.replace("params:", 'networkDomain: "good.example", params:'), domains: '"good.example", "evil.example"' },
    own(BODIES.elsewhere),
    wasNotSent,
    values,
  );

  const carrier = (type: string, config: string, credential: Parameters<Hostile["store"]>[0]): void =>
    formulas(
      `carrier ${type}`,
      { auth: `pack.setUserAuthentication({ type: coda.AuthenticationType.${type}, ${config} } as any);` },
      {
        "the echo, as the API encodes it":
          'return JSON.stringify([await get("x"), await get("base64"), await get("hex"), await get("redirect")]);',
      },
      wasSent,
      credential,
    );
  carrier("QueryParamToken", 'paramName: "key"', TOKEN);
  carrier("CustomHeaderToken", 'headerName: "X-Key", tokenPrefix: "k"', TOKEN);
  carrier("WebBasic", "", { kind: "basic", username: "me", password: CANARY });
  carrier("MultiHeaderToken", 'headers: [{ name: "X-Key", description: "" }]', { kind: "values", values: { "X-Key": CANARY } });
  carrier("MultiQueryParamToken", 'params: [{ name: "key", description: "" }]', { kind: "values", values: { key: CANARY } });
  carrier("AWSAccessKey", 'service: "execute-api"', { kind: "aws", accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: CANARY } as never);

  const failing = (bodies: Record<string, string>): Record<string, string> => bodies;
  formulas("host", {}, failing(BODIES.failing), wasNotSent);
  formulas(
    "method",
    {},
    {
      "a space after it": 'return JSON.stringify(await send("GET ", "https://good.example/"));',
      "a line break in it": 'return JSON.stringify(await send("GET / HTTP/1.1\\r\\nX: y\\r\\n\\r\\nDELETE", "https://good.example/"));',
      "an unknown one": 'return JSON.stringify(await send("PURGE", "https://good.example/"));',
    },
    wasNotSent,
  );

  const READ_THEN = 'await get("list"); ';
  const afterRead =
    (method: string): ((ran: string, h: Hostile) => void) =>
    (ran, h) => {
      assert.equal(h.questions.length, 2, ran);
      assert.ok(h.questions[1]?.title.startsWith(`Send ${method}`), h.questions[1]?.title);
    };
  formulas(
    "method",
    {},
    { "lower case after a yes for reading": `${READ_THEN} await send("delete", "https://good.example/all"); return "";` },
    afterRead("DELETE"),
  );
  for (const method of ["DELETE", "POST", "PUT", "PATCH", "OPTIONS"])
    formulas(
      "method",
      {},
      { [`${method} after a yes for reading`]: `${READ_THEN} await send("${method}", "https://good.example/all"); return "";` },
      afterRead(method),
    );
  formulas(
    "method",
    {},
    {
      "X-HTTP-Method-Override in a GET after a yes": `${READ_THEN} await get("all", { headers: { "X-HTTP-Method-Override": "DELETE" } }); return "";`,
      "x-method-override in a GET after a yes": `${READ_THEN} await get("all", { headers: { "x-method-override": "DELETE" } }); return "";`,
      "X-HTTP-Method in a GET after a yes": `${READ_THEN} await get("all", { headers: { "X-HTTP-Method": "MERGE" } }); return "";`,
      "_method in the query of a GET after a yes": `${READ_THEN} await get("all?_method=DELETE"); return "";`,
    },
    (ran, h) => {
      assert.equal(h.questions.length, 2, ran);
      assert.match(h.questions[1]?.title ?? "", /Send GET \(.*(?:DELETE|MERGE)\)/);
    },
  );

  it("the tables have at least 75 calls", () => assert.ok(count() >= 75, `${count()} lines`));
});
