import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { PackAuthError } from "../../../../platform/errors.ts";
import { readDescriptionApart } from "../../../../platform/setup/openapi/description-apart.ts";
import type { Answers } from "../../../../platform/setup/outcome.ts";
import { openApiReader } from "../../../../platform/setup/readers/openapi.ts";
import { eachCase } from "../../../support/json-cases.ts";
import { proposalOf, readEvidence, summaryOf } from "./read-evidence.ts";

const CANARY = "canary-7f3a";

/** An issuer's reader that proposes what it was called with. */
const reader = openApiReader((text) => ({
  kind: "proposal",
  proposal: {
    scope: "user",
    type: "OAuth2",
    typeOrigin: "the metadata",
    fields: [{ name: "authorizationUrl", value: text, origin: "the metadata" }],
    domains: [],
    remarks: [],
  },
}));

const read = (description: unknown, answers?: Answers) =>
  readEvidence(reader, typeof description === "string" ? description : JSON.stringify(description), answers);

const json = z.record(z.string(), z.unknown());
type Json = z.infer<typeof json>;

/** A description of version 3 whose operations demand the schemes together. */
const api = (schemes: Json, more: Json = {}, scopes: readonly string[] = []): Json => ({
  openapi: "3.0.3",
  info: { title: "Acme", version: "1" },
  servers: [{ url: "https://api.acme.example/v1" }],
  security: [Object.fromEntries(Object.keys(schemes).map((name) => [name, scopes]))],
  paths: {},
  components: { securitySchemes: schemes },
  ...more,
});
const swagger = (definitions: Json, more: Json = {}): Json => ({
  swagger: "2.0",
  info: { title: "Acme", version: "1" },
  host: "api.acme.example",
  basePath: "/v1",
  schemes: ["http", "https"],
  security: [Object.fromEntries(Object.keys(definitions).map((name) => [name, []]))],
  paths: {},
  securityDefinitions: definitions,
  ...more,
});

const http = (scheme: string): Json => ({ type: "http", scheme });
const key = (place: string, name: string, description?: string): Json => ({ type: "apiKey", in: place, name, description });
/** The parts of a description that its form does not have by itself, and the outcome in one line. */
const descriptionCase = z.strictObject({
  title: z.string(),
  swagger: z.literal(true).optional(),
  schemes: json,
  more: json.default({}),
  /** The parts of every description that this one lacks. */
  without: z.array(z.string()).default([]),
  answers: z.record(z.string(), z.string()).optional(),
  outcome: z.string(),
});

const outcomeError = async (description: unknown, answers?: Answers): Promise<string> => {
  try {
    return summaryOf(await read(description, answers));
  } catch (error) {
    if (!(error instanceof PackAuthError)) throw error;
    assert.equal(error.code, "evidence-unreadable");
    assert.ok(error.hint, "an error says what to do");
    return error.message;
  }
};

describe("reading the description of an API", () => {
  eachCase(
    "setup/cases/api-descriptions.json",
    descriptionCase,
    ({ title, swagger: isSwagger, schemes, more, without, answers, outcome }) => {
      it(`${title}: the expected configuration, question or refusal`, async () => {
        const description = (isSwagger ? swagger : api)(schemes, more);
        for (const name of without) delete description[name];
        assert.equal(summaryOf(await read(description, answers)), outcome);
      });
    },
  );

  describe("addresses", () => {
    const urlOf = async (more: Json, answers?: Answers) => {
      const { formula, domains } = proposalOf(
        await read(api({ a: http("bearer") }, { paths: { "/items": { get: {} } }, ...more }), answers),
      );
      return [formula?.request.url, domains.map(({ domain }) => domain)];
    };

    it("the server's host is the network domain, and its path begins each request", async () => {
      assert.deepEqual(await urlOf({}), [["https://api.acme.example/v1/items"], ["api.acme.example"]]);
    });

    it("the account's endpoint begins each request of a server for each account", async () => {
      const servers = [
        {
          url: "https://{tenant}.acme.example:{port}/{base}/",
          variables: { tenant: { default: "demo" }, port: { default: "443" }, base: { default: "v2" } },
        },
      ];
      assert.deepEqual(await urlOf({ servers }), [[{ endpoint: true }, "/v2/items"], ["acme.example"]]);
    });

    it("the answer about the host is the network domain of a relative server", async () => {
      assert.deepEqual(await urlOf({ servers: [{ url: "/v3" }] }, { host: "api.acme.example" }), [
        ["https://api.acme.example/v3/items"],
        ["api.acme.example"],
      ]);
    });

    it("an answer about the host that is a URL is not accepted", async () => {
      assert.equal(summaryOf(await read(api({ a: http("bearer") }, { servers: [] }), { host: "https://api.acme.example/v1" })), "host?");
    });

    it("https is used of a server with several schemes", async () => {
      const servers = [{ url: "{scheme}://api.acme.example", variables: { scheme: { default: "http", enum: ["http", "https"] } } }];
      assert.deepEqual(await urlOf({ servers }), [["https://api.acme.example/items"], ["api.acme.example"]]);
    });

    it("a server with http alone becomes https, and a remark says so", async () => {
      const { remarks, domains } = proposalOf(await read(swagger({ a: { type: "basic" } }, { schemes: ["http"] })));
      assert.deepEqual(
        domains.map(({ domain }) => domain),
        ["api.acme.example"],
      );
      assert.match(remarks.join(), /The platform sends only https requests/);
    });

    it("user name and password in a server's URL are not used", async () => {
      const outcome = await read(api({ a: http("bearer") }, { servers: [{ url: `https://me:${CANARY}@api.acme.example` }] }));
      assert.equal(summaryOf(outcome), "HeaderBearerToken");
      assert.doesNotMatch(JSON.stringify(outcome), new RegExp(CANARY));
    });
  });

  describe("requests", () => {
    const user = (schema: Json): Json => ({ responses: { 200: { description: "", content: { "application/json": { schema } } } } });
    const properties = (names: Json): Json => ({ type: "object", properties: names });
    const text = { type: "string" };

    it("the current user's operation names the user by its response", async () => {
      const paths = { "/items": { get: {} }, "/users/me": { get: user(properties({ id: text, email: text, login: text })) } };
      const { userRequest } = proposalOf(await read(api({ a: http("bearer") }, { paths })));
      assert.deepEqual(userRequest, {
        method: "GET",
        url: ["https://api.acme.example/v1/users/me"],
        headers: [],
        origin: "paths./users/me.get",
        namePath: ["login"],
      });
    });

    it("a name inside an object of the response is used, through references and allOf", async () => {
      const description = api(
        { a: http("bearer") },
        { paths: { "/me": { get: user({ allOf: [{ $ref: "#/components/schemas/Envelope" }] }) } } },
      );
      Object.assign(description["components"] as Json, {
        schemas: {
          Envelope: properties({ data: { $ref: "#/components/schemas/User" } }),
          User: properties({ name: { type: ["string", "null"] } }),
        },
      });
      assert.deepEqual(proposalOf(await read(description)).userRequest?.namePath, ["data", "name"]);
    });

    it("the response of Swagger 2 names the user", async () => {
      const paths = { "/me": { get: { responses: { 200: { schema: properties({ name: text }) } } } } };
      assert.deepEqual(proposalOf(await read(swagger({ a: { type: "basic" } }, { paths }))).userRequest?.namePath, ["name"]);
    });

    for (const [title, get] of Object.entries({
      "whose response has no name": user(properties({ id: text })),
      "that needs a parameter": { ...user(properties({ name: text })), parameters: [{ name: "q", in: "query", required: true }] },
      "whose name is an object": user(properties({ name: properties({ first: text }) })),
    }))
      it(`an operation ${title} does not name the user`, async () => {
        const { userRequest } = proposalOf(await read(api({ a: http("bearer") }, { paths: { "/me": { get } } })));
        assert.equal(userRequest, undefined);
      });

    it("the formula calls the first operation that reads and needs no parameter", async () => {
      const paths = {
        "/items": { post: {} },
        "/items/{id}": { get: { operationId: "getItem" } },
        "/old": { get: { deprecated: true } },
        "/lists": { get: { operationId: "lists/list-all", summary: "Lists\n  all lists" } },
      };
      const { formula } = proposalOf(await read(api({ a: http("bearer") }, { paths })));
      assert.deepEqual(formula, {
        name: "ListsListAll",
        description: "Lists all lists",
        request: { method: "GET", url: ["https://api.acme.example/v1/lists"], headers: [], origin: "paths./lists.get" },
        parameters: [],
      });
    });

    it("a formula has a parameter for what the path and the query demand", async () => {
      const get = {
        parameters: [
          { name: "api-version", in: "query", required: true, schema: { default: "2" } },
          { name: "page", in: "query" },
          { name: "Acme-Version", in: "header", required: true, schema: { enum: ["2026-01-01"] } },
          { $ref: "#/components/parameters/Id" },
        ],
      };
      const description = api({ a: http("bearer") }, { paths: { "/items/{item-id}/x": { get } } });
      Object.assign(description["components"] as Json, {
        parameters: { Id: { name: "item-id", in: "path", required: true, description: "The item.", example: 7 } },
      });
      assert.deepEqual(proposalOf(await read(description)).formula, {
        name: "GetItemsX",
        description: "Sends GET /items/{item-id}/x.",
        request: {
          method: "GET",
          url: ["https://api.acme.example/v1/items/", { parameter: "itemId" }, "/x?api-version=", { parameter: "apiVersion" }],
          headers: [{ name: "Acme-Version", value: ["2026-01-01"] }],
          origin: "paths./items/{item-id}/x.get",
        },
        parameters: [
          { name: "itemId", description: "The item.", suggestedValue: "7" },
          { name: "apiVersion", description: "The parameter api-version of the request.", suggestedValue: "2" },
        ],
      });
    });

    for (const [title, path, get] of [
      ["with four parameters", "/a/{b}/{c}/{d}/{e}", {}],
      ["with a header of any value", "/a", { parameters: [{ name: "X-Any", in: "header", required: true }] }],
      ["with a server of its own", "/a", { servers: [{ url: "https://other.example" }] }],
    ] as const)
      it(`an operation ${title} is not called`, async () => {
        assert.equal(proposalOf(await read(api({ a: http("bearer") }, { paths: { [path]: { get } } }))).formula, undefined);
      });

    it("an operation that repeats the servers of the description is called, and its name has no version", async () => {
      const servers = [{ url: "https://api.acme.example/v1" }];
      const { formula } = proposalOf(await read(api({ a: http("bearer") }, { paths: { "/v2/1-clicks": { servers, get: { servers } } } })));
      assert.deepEqual([formula?.name, formula?.request.url], ["Get1Clicks", ["https://api.acme.example/v1/v2/1-clicks"]]);
    });

    it("a parameter that carries the credential is no parameter of the request", async () => {
      const parameter = (name: string, place: string): Json => ({ name, in: place, required: true, schema: { example: CANARY } });
      const get = { ...user(properties({ name: text })), parameters: [parameter("api_key", "query"), parameter("x-other-key", "header")] };
      const paths = { "/me": { get }, "/items": { get: { parameters: get.parameters } } };
      const schemes = { a: key("query", "api_key"), b: key("header", "X-Other-Key") };
      const { userRequest, formula } = proposalOf(await read(api(schemes, { security: [{ a: [] }], paths })));
      assert.deepEqual(userRequest?.url, ["https://api.acme.example/v1/me"]);
      assert.deepEqual([formula?.request, formula?.parameters].flat(), [
        { method: "GET", url: ["https://api.acme.example/v1/items"], headers: [], origin: "paths./items.get" },
      ]);
    });

    it("a text of the description that looks like a secret is in no part of the outcome", async () => {
      const secret = `ghp_${CANARY.replace(/\W/g, "")}${"0".repeat(30)}`;
      const parameters = [
        { name: "session_token", in: "query", required: true, example: CANARY },
        { name: "page", in: "query", required: true, example: secret },
      ];
      const paths = {
        "/a": { get: { parameters: [{ name: "X-Trace", in: "header", required: true, schema: { default: secret } }] } },
        "/b": { get: { summary: `Lists all, for example with ${secret}.`, parameters } },
      };
      const outcome = await read(api({ a: http("bearer") }, { paths }));
      assert.equal(proposalOf(outcome).formula?.description, "Lists all, for example with ••••.");
      assert.doesNotMatch(JSON.stringify(outcome), new RegExp(`${CANARY}|ghp_|suggestedValue`));
    });

    it("a default or an example of a header, a variable or a server that may be a credential is in no part of the outcome", async () => {
      const opaque = "canary-7f3b9d2e61c04a58";
      const header = { name: "X-Session-Token", in: "header", required: true, schema: { default: opaque } };
      const parameter = { name: "sid", in: "query", required: true, example: opaque };
      const servers = [
        { url: `http://me:${opaque}@api.acme.example/{apiKey}?key=${opaque}`, variables: { apiKey: { default: opaque } } },
        { url: `http://me:${opaque}@other.acme.example` },
      ];
      const paths = { "/a": { get: { parameters: [header] } }, "/b": { get: { parameters: [parameter] } } };
      const question = await read(api({ a: http("bearer") }, { paths, servers }));
      const outcome = await read(api({ a: http("bearer") }, { paths, servers: servers.slice(0, 1) }));
      assert.match(JSON.stringify(proposalOf(outcome).formula), /\/b/);
      assert.equal(question.kind, "question");
      assert.doesNotMatch(JSON.stringify([question, outcome]), /canary/);
    });

    it("a secret in the address of a flow is in no part of the outcome", async () => {
      const flow = {
        authorizationUrl: `http://a.example/auth?client_secret=${CANARY}&audience=x`,
        tokenUrl: "https://a.example/t",
        scopes: {},
      };
      const outcome = await read(api({ a: { type: "oauth2", flows: { authorizationCode: flow } } }));
      assert.match(summaryOf(outcome), /authorizationUrl=https:\/\/a\.example\/auth\?audience=x /);
      assert.doesNotMatch(JSON.stringify(outcome), new RegExp(CANARY));
    });

    it("the formula calls an operation of the chosen way", async () => {
      const paths = { "/open": { get: { security: [] } }, "/other": { get: { security: [{ b: [] }] } }, "/items": { get: {} } };
      const { formula } = proposalOf(await read(api({ a: http("bearer"), b: http("basic") }, { security: [{ a: [] }], paths })));
      assert.deepEqual(formula?.request.url, ["https://api.acme.example/v1/items"]);
    });
  });

  describe("texts that cannot be used", () => {
    for (const [title, text, message] of [
      ["nothing", "", /is not the description of an API: it has no field "openapi"/],
      ["a web page", "<!DOCTYPE html>\n<html></html>", /is HTML or XML/],
      ["other JSON", '{"a": 1}', /is not the description of an API/],
      ["a list", "[]", /is not the description of an API/],
      ["a word", "petstore", /is not the description of an API/],
      ["broken YAML", "openapi: 3.0.0\ninfo:\n  title: x\n version: 1\n", /is not valid YAML in line 4: /],
      ["half of a JSON text", JSON.stringify(api({}), null, 2).slice(0, 90), /is not valid JSON in line \d+: /],
      ["a Postman collection", '{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/"}}', /is a Postman collection/],
      ["a HAR file", '{"log": {"entries": []}}', /is a HAR file/],
      ["OpenAPI 4", '{"openapi": "4.0.0", "paths": {}}', /has the version OpenAPI 4\.0\.0\. Only OpenAPI 3 and Swagger 2 can be read\./],
      ["Swagger 1.2", '{"swaggerVersion": "1.2", "apis": []}', /has the version Swagger 1\.2\./],
      ["a description without paths", "openapi: 3.1.0", /has no paths/],
      ["20 MB", `{"openapi": "3.0.0", "x": "${"x".repeat(20_000_000)}"}`, /has 20 MB; it must have less than 20 MB/],
      [
        "a reference to nothing",
        JSON.stringify(api({ a: { $ref: "#/components/none" } })),
        /The description of components\.securitySchemes\.a is incomplete/,
      ],
      [
        "a demand for a scheme that is not described",
        JSON.stringify(api({}, { security: [{ b: [] }] })),
        /the security scheme b, but does not/,
      ],
      ["a scheme without a type", JSON.stringify(api({ a: {} })), /The description of components\.securitySchemes\.a is incomplete/],
      ["a header's name with a space", JSON.stringify(api({ a: key("header", "X Key") })), /securitySchemes\.a is incomplete/],
      ["deep JSON", `{"openapi": "3.0.0", "paths": ${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`, /nests too deeply/],
      ["deep YAML", `openapi: 3.0.0\npaths: ${"[".repeat(5_000)}${"]".repeat(5_000)}`, /nests too deeply/],
    ] as const)
      it(`${title}: a sentence says why`, async () => {
        assert.match(await outcomeError(text), message);
      });

    it("YAML aliases that stand for billions of values are refused at once", async () => {
      const levels = [...Array(12).keys()].map((level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(", ")}]`);
      const start = performance.now();
      assert.match(
        await outcomeError(`openapi: 3.0.0\npaths: {}\na0: &a0 [1, 2]\n${levels.join("\n")}`),
        /too many values behind its YAML aliases/,
      );
      assert.ok(performance.now() - start < 5_000);
    });

    for (const [title, text] of [
      ["an alias without an anchor", `openapi: *${CANARY}\n`],
      ["a tag", `openapi: !${CANARY} x\n`],
      ["a handle of a tag", `openapi: !${CANARY}!x y\n`],
      ["a version", `openapi: ${CANARY}\n`],
    ] as const)
      it(`${title} that cannot be read is not quoted`, async () => {
        assert.doesNotMatch(await outcomeError(text), new RegExp(CANARY));
      });

    const keys = (count: number, scheme: (index: number) => Json): Json =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, scheme(index)]));
    const named = (index: number): Json => key("header", `X-${index}`);
    for (const [title, description, message] of [
      [
        "schemes whose combinations are billions",
        api(keys(60, (index) => ({ ...key("header", `X-${index >> 1}`), description: `Authorization: P${index & 1} <key>` }))),
        /more than 200 ways to authenticate/,
      ],
      ["thousands of schemes", api(keys(20_000, named)), /20000 security schemes; at most 200/],
      ["thousands of servers", api({}, { servers: Array(9_000).fill({ url: "https://a.example" }) }), /9000 servers; at most 200/],
      [
        "thousands of demands",
        api(keys(150, named), {
          security: undefined,
          paths: Object.fromEntries(
            Array.from({ length: 11_000 }, (_, index) => [
              `/${index}`,
              { get: { security: [{ [`s${index % 150}`]: [], [`s${(index * 7 + (index >> 7)) % 150}`]: [] }] } },
            ]),
          ),
        }),
        /more than 200 ways/,
      ],
      [
        "a long text behind many references",
        { ...api(keys(150, () => ({ $ref: "#/x" }))), x: key("header", "x".repeat(500_000)) },
        /too many long texts/,
      ],
    ] as const)
      it(`${title}: a sentence says why, and the host is free meanwhile`, async () => {
        let longest = 0;
        let last = performance.now();
        const timer = setInterval(() => {
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
        }, 10);
        assert.match(await outcomeError(description), message);
        clearInterval(timer);
        assert.ok(longest < 2_000, `${longest} ms`);
      });

    it("an alias inside its own value is refused", async () => {
      assert.match(await outcomeError("openapi: 3.0.0\npaths: &a\n  x: *a\n"), /aliases/);
    });

    it("the answer that a request as cURL is better is an error that says so", async () => {
      assert.match(
        await outcomeError(api({}, { security: undefined }), { "no-security": "curl" }),
        /does not say how requests authenticate/,
      );
    });

    it("a text that takes too long or too much memory is refused", async () => {
      const text = JSON.stringify(api({ a: http("bearer") }, { "x-values": Array(400_000).fill({ a: 1 }) }));
      const signal = new AbortController().signal;
      const limits = { bytes: 20_000_000, milliseconds: 10_000, heap: 1_024 };
      await assert.rejects(readDescriptionApart(text, signal, { ...limits, milliseconds: 1 }), /could not be read within 0.001 seconds/);
      await assert.rejects(readDescriptionApart(text, signal, { ...limits, heap: 8 }), /takes more than 8 MB of memory/);
    });

    it("a reading that is cancelled ends with the signal's reason", async () => {
      const controller = new AbortController();
      const reading = readDescriptionApart(JSON.stringify(api({ cancelled: http("bearer") })), controller.signal);
      controller.abort(new Error("cancelled by the test"));
      await assert.rejects(reading, /cancelled by the test/);
    });
  });

  describe("texts with peculiarities", () => {
    it("YAML is read as JSON is", async () => {
      const yaml = [
        "openapi: 3.1",
        "servers: [{url: 'https://api.acme.example'}]",
        "security: [{a: []}]",
        "paths:",
        "  /items: &items {get: {summary: 2026-01-01}}",
        "  /copies: {<<: *items}",
        "components: {securitySchemes: {a: {type: http, scheme: bearer}}}",
      ].join("\n");
      const { type, formula } = proposalOf(await read(`\uFEFF# comment\n${yaml}\n`));
      assert.deepEqual([type, formula?.description], ["HeaderBearerToken", "2026-01-01"]);
    });

    it("a description whose schemas refer to thousands of others is read", async () => {
      const property = (index: number): Json => ({ $ref: `#/components/schemas/S${index % 3_000}` });
      const schemas = [...Array(3_000).keys()].map((index) => [
        `S${index}`,
        { properties: { name: { type: "string" }, a: property(index + 1), b: property(7 * index), c: property(13 * index + 5) } },
      ]);
      const get = { responses: { 200: { content: { "application/json": { schema: property(0) } } } } };
      const description = api({ a: http("bearer") }, { paths: { "/me": { get } } });
      Object.assign(description["components"] as Json, { schemas: Object.fromEntries(schemas) });
      assert.deepEqual(proposalOf(await read(description)).userRequest?.namePath, ["name"]);
    });

    it("a reference to nothing is no obstacle where nothing is needed of it", async () => {
      const paths = { "/items": { get: { responses: { 200: { $ref: "#/components/responses/none" } } } } };
      assert.equal(summaryOf(await read(api({ a: http("bearer") }, { paths }))), "HeaderBearerToken");
    });

    it("references in a circle are read", async () => {
      const get = { responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Loop" } } } } } };
      const description = api(
        { a: http("bearer") },
        { paths: { "/me": { get }, "/user": { get: { parameters: [{ $ref: "#/paths/~1user/get/parameters/0" }] } } } },
      );
      Object.assign(description["components"] as Json, {
        schemas: {
          Loop: { $ref: "#/components/schemas/Loop" },
          Tree: { properties: { left: { $ref: "#/components/schemas/Tree" }, right: { $ref: "#/components/schemas/Tree" } } },
        },
      });
      assert.equal(summaryOf(await read(description)), "HeaderBearerToken");
    });

    it("a scheme behind a reference is read", async () => {
      const description = api({ a: { $ref: "#/components/securitySchemes/b" }, b: http("bearer") }, { security: [{ a: [] }] });
      assert.equal(summaryOf(await read(description)), "HeaderBearerToken");
    });

    it("names of object's members that JavaScript has by itself are names", async () => {
      const text = JSON.stringify(api({ toString: http("bearer") }, { security: [{ constructor: [] }] }));
      assert.match(await outcomeError(text), /the security scheme constructor, but does not describe it/);
      assert.equal(summaryOf(await read(api({ toString: http("bearer") }))), "HeaderBearerToken");
    });

    it("control characters and long texts of the description are shown safely", async () => {
      const paths = { "/a": { get: { summary: `Lists\u001b]0;x\u0007 ${"long ".repeat(200)}` } } };
      const description = proposalOf(await read(api({ a: http("bearer") }, { paths }))).formula?.description ?? "";
      assert.match(description, /^Lists\\u001b\]0;x\\u0007 long/);
      assert.ok(description.length <= 200);
    });
  });

  describe("references to other files", () => {
    it("no file and no server that a reference names is read", async () => {
      const folder = mkdtempSync(join(tmpdir(), "pack-auth-canary-"));
      const file = join(folder, "canary.json");
      writeFileSync(file, JSON.stringify({ type: "http", scheme: CANARY, get: { summary: CANARY, operationId: CANARY } }));
      const requests: string[] = [];
      const server = createServer((request, response) => {
        requests.push(request.url ?? "");
        response.end(JSON.stringify({ get: { summary: CANARY } }));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const cwd = process.cwd();
      process.chdir(folder);
      try {
        for (const reference of [
          file,
          pathToFileURL(file).href,
          "canary.json",
          "./canary.json#/get",
          "file:///etc/passwd",
          `${origin}/x.json`,
          `${origin}/x.yaml#/get`,
        ]) {
          const description = api(
            { a: http("bearer") },
            {
              paths: {
                "/canary": { $ref: reference },
                "/items": { get: { parameters: [{ $ref: reference }], responses: { 200: { $ref: reference } } } },
              },
              externalDocs: { url: `${origin}/documentation` },
              jsonSchemaDialect: `${origin}/dialect`,
            },
          );
          Object.assign(description["components"] as Json, {
            schemas: {
              A: { $ref: reference },
              B: { $id: `${origin}/id`, $schema: `${origin}/schema`, $dynamicRef: reference },
              C: { discriminator: { propertyName: "kind", mapping: { a: `${origin}/mapping`, b: reference } } },
            },
          });
          const outcome = await read(description);
          assert.equal(summaryOf(outcome), "HeaderBearerToken");
          assert.doesNotMatch(JSON.stringify(outcome), new RegExp(`${CANARY}|root:`));
          assert.match(await outcomeError(api({ a: { $ref: reference } })), /in another file, which is not read/);
        }
        // A text that is a path or an address is a text.
        for (const text of [file, pathToFileURL(file).href, `${origin}/x.json`, JSON.stringify(file)])
          assert.match(await outcomeError(text), /is not the description of an API/);
        // The server answers with the canary to whoever asks.
        assert.match(await (await fetch(origin)).text(), new RegExp(CANARY));
        assert.deepEqual(requests, ["/"]);
      } finally {
        process.chdir(cwd);
        server.close();
        rmSync(folder, { recursive: true });
      }
    });
  });
});

describe("A description knows what a command knows", () => {
  const key = (name: string, more: Json = {}): Json => ({ type: "apiKey", in: "header", name, ...more });
  const outcomeOf = async (description: Json, answers?: Answers): Promise<string> => {
    try {
      return summaryOf(await read(description, answers));
    } catch (error) {
      if (error instanceof PackAuthError) return error.message;
      throw error;
    }
  };
  const flow = (more: Json): Json => ({
    authorizationUrl: "https://acme.example/a",
    tokenUrl: "https://acme.example/t",
    scopes: {},
    ...more,
  });
  const plain = { get: { responses: { "200": { description: "ok" } } } };
  const parameters = (...names: readonly string[]): Json => ({
    paths: {
      "/me": {
        get: { ...plain.get, parameters: names.map((name) => ({ in: "header", name, required: true, schema: { type: "string" } })) },
      },
    },
    security: undefined,
  });

  for (const [title, description, expected] of [
    ["a header with a signature", api({ a: key("X-Signature") }), /^impossible signed-request/],
    [
      "a signature beside a key",
      api({ a: key("X-Sign", { description: "HMAC-SHA256 of the body" }), b: key("X-Key") }),
      /^impossible signed-request/,
    ],
    ["a signature beside a bearer token", api({ a: key("X-Signature"), b: http("bearer") }), /^impossible signed-request/],
    [
      "a key whose description says HMAC",
      api({ a: key("Authorization", { description: "HMAC of the request" }) }),
      /^impossible signed-request/,
    ],
    ["a header with the name of a zodiac sign", api({ a: key("X-Sign", { description: "leo, virgo" }) }), /^CustomHeaderToken/],
    [
      "Signature Version 4 at API Gateway",
      api({ a: key("Authorization", { "x-amazon-apigateway-authtype": "awsSigv4" }) }),
      /^AWSAccessKey service=execute-api$/,
    ],
    ["the scheme of Signature Version 4", api({ a: http("AWS4-HMAC-SHA256") }), /^aws-service\?/],
    [
      "a required prefix in words",
      api({ a: key("Authorization", { description: 'Token-based authentication with required prefix "Token"' }) }),
      /^CustomHeaderToken headerName=Authorization tokenPrefix=Token$/,
    ],
    [
      "a value that is prefixed with a scheme",
      api({ a: key("Authorization", { description: "Prefixed with `Key`." }) }),
      /tokenPrefix=Key$/,
    ],
    ["a prefix without quotes", api({ a: key("Authorization", { description: "Use the prefix Bearer." }) }), /^HeaderBearerToken$/],
    ["a prefix that is not named", api({ a: key("Authorization", { description: "A prefix is required." }) }), /^prefix\?/],
    ["Authorization as a parameter", api({}, parameters("Authorization")), /^prefix\?/],
    ["a key as a parameter", api({}, parameters("X-Api-Key", "X-Page")), /^CustomHeaderToken headerName=X-Api-Key$/],
    ["no credential among the parameters", api({}, parameters("X-Page")), /^no-security\?/],
    [
      "a key without in, beside a whole scheme",
      swagger({ a: { type: "apiKey", name: "x" }, b: { type: "basic" } }, { security: undefined }),
      /^security\?/,
    ],
    ["a key without in", api({ a: { type: "apiKey", name: "x" } }), /securitySchemes\.a is incomplete\. It has no in\.$/],
    ["flow for flows", api({ a: { type: "oauth2", flow: { authorizationCode: flow({}) } } }), /It has flow where OpenAPI 3 has flows\.$/],
    [
      "an unknown flow beside a known one",
      api({ a: { type: "oauth2", flows: { magic: flow({}), authorizationCode: flow({}) } } }),
      /^OAuth2 /,
    ],
    ["an implicit flow with a token URL", api({ a: { type: "oauth2", flows: { implicit: flow({}) } } }), /^OAuth2 .*tokenUrl/],
    [
      "an implicit flow without a token URL",
      api({ a: { type: "oauth2", flows: { implicit: { authorizationUrl: "https://acme.example/a", scopes: {} } } } }),
      /^impossible implicit-grant/,
    ],
  ] as const)
    it(`${title} is read`, async () => assert.match(await outcomeOf(description), expected));

  it("a remark names the scheme that cannot be read, and what is signed beside AWS's signature", async () => {
    const broken = swagger({ a: { type: "apiKey", name: "x" }, b: { type: "basic" } }, { security: undefined });
    const first = proposalOf(await read(broken, { security: "securityDefinitions.b" }));
    assert.match(first.remarks.join(" "), /securityDefinitions\.a is incomplete\. It has no in\./);
    const aws = api({ a: key("Authorization", { "x-amazon-apigateway-authtype": "awsSigv4" }), b: key("X-Api-Key") });
    assert.match(proposalOf(await read(aws)).remarks.join(" "), /securitySchemes\.b is left out/);
  });
});
