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
import type { Proposal } from "../../../../protocol/setup.ts";
import { eachCase, pattern } from "../../../support/json-cases.ts";
import { processorTime } from "../../../support/processor-time.ts";
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
/** The parts of a description that its form does not have by itself. */
const partsCase = z.strictObject({
  swagger: z.literal(true).optional(),
  schemes: json,
  more: json.default({}),
  /** The parts of every description that this one lacks. */
  without: z.array(z.string()).default([]),
});
/** The outcome is in one line. */
const descriptionCase = partsCase.extend({
  title: z.string(),
  answers: z.record(z.string(), z.string()).optional(),
  outcome: z.string(),
});

/** The parts of a proposal that cases expect, by their name there. Null stands for an absent part. */
const PARTS = {
  formula: ({ formula }) => formula,
  name: ({ formula }) => formula?.name,
  request: ({ formula }) => formula?.request,
  url: ({ formula }) => formula?.request.url,
  parameters: ({ formula }) => formula?.parameters,
  userRequest: ({ userRequest }) => userRequest,
  userUrl: ({ userRequest }) => userRequest?.url,
  namePath: ({ userRequest }) => userRequest?.namePath,
  domains: ({ domains }) => domains.map(({ domain }) => domain),
} satisfies Readonly<Record<string, (proposal: Proposal) => unknown>>;
const partName = z.enum(Object.keys(PARTS) as (keyof typeof PARTS)[]);
const proposalCase = descriptionCase.extend({
  outcome: z.string().optional(),
  expected: z.partialRecord(partName, z.unknown()).default({}),
});

const descriptionOf = ({ swagger: isSwagger, schemes, more, without }: z.infer<typeof partsCase>): Json => {
  const description = (isSwagger ? swagger : api)(schemes, more);
  for (const name of without) delete description[name];
  return description;
};

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
  eachCase("setup/cases/api-descriptions.json", descriptionCase, ({ title, answers, outcome, ...parts }) => {
    it(`${title}: the expected configuration, question or refusal`, async () => {
      assert.equal(summaryOf(await read(descriptionOf(parts), answers)), outcome);
    });
  });

  const itReads = (file: string): void =>
    eachCase(file, proposalCase, ({ title, answers, outcome, expected, ...parts }) => {
      it(title, async () => {
        const result = await read(descriptionOf(parts), answers);
        if (outcome !== undefined) assert.equal(summaryOf(result), outcome);
        for (const [part, value] of Object.entries(expected))
          assert.deepEqual(PARTS[partName.parse(part)](proposalOf(result)) ?? null, value, part);
      });
    });

  describe("addresses", () => {
    itReads("setup/cases/api-addresses.json");

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
    itReads("setup/cases/api-requests.json");

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
  });

  describe("texts that cannot be used", () => {
    const itSaysWhy = (title: string, text: string, message: RegExp): void => {
      it(`${title}: a sentence says why`, async () => assert.match(await outcomeError(text), message));
    };
    const textCase = z.strictObject({ title: z.string(), text: z.string(), message: pattern });
    eachCase("setup/cases/api-unusable-texts.json", textCase, ({ title, text, message }) => itSaysWhy(title, text, message));
    itSaysWhy("20 MB", `{"openapi": "3.0.0", "x": "${"x".repeat(20_000_000)}"}`, /has 20 MB; it must have less than 20 MB/);
    itSaysWhy("deep JSON", `{"openapi": "3.0.0", "paths": ${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}`, /nests too deeply/);
    itSaysWhy("deep YAML", `openapi: 3.0.0\npaths: ${"[".repeat(5_000)}${"]".repeat(5_000)}`, /nests too deeply/);

    it("YAML aliases that stand for billions of values are refused at once", async () => {
      const levels = [...Array(12).keys()].map((level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(", ")}]`);
      const start = processorTime();
      assert.match(
        await outcomeError(`openapi: 3.0.0\npaths: {}\na0: &a0 [1, 2]\n${levels.join("\n")}`),
        /too many values behind its YAML aliases/,
      );
      assert.ok(processorTime() - start < 5_000);
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

    itReads("setup/cases/api-references.json");

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
  eachCase(
    "setup/cases/api-descriptions-in-words.json",
    descriptionCase.extend({ outcome: pattern }),
    ({ title, answers, outcome, ...parts }) => {
      it(`${title} is read`, async () => assert.match(await outcomeOf(descriptionOf(parts), answers), outcome));
    },
  );

  it("a remark names the scheme that cannot be read, and what is signed beside AWS's signature", async () => {
    const broken = swagger({ a: { type: "apiKey", name: "x" }, b: { type: "basic" } }, { security: undefined });
    const first = proposalOf(await read(broken, { security: "securityDefinitions.b" }));
    assert.match(first.remarks.join(" "), /securityDefinitions\.a is incomplete\. It has no in\./);
    const aws = api({ a: key("Authorization", { "x-amazon-apigateway-authtype": "awsSigv4" }), b: key("X-Api-Key") });
    assert.match(proposalOf(await read(aws)).remarks.join(" "), /securitySchemes\.b is left out/);
  });
});
