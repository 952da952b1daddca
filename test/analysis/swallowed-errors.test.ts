// Where a formula loses the 401 of all that it sends, in the ways that packs write it; and where it does not.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
import assert from "node:assert/strict";
import { analyse, apply, split } from "../support/analyse.ts";

const OAUTH = `type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/authorize", tokenUrl: "https://login.acme.example/token", scopes: ["read"]`;
const FETCH = `await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" })`;

const packWith = (execute: string, { auth = OAUTH, more = "", rest = "" } = {}): string =>
  `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ ${auth} });
${rest}
pack.addFormula({
  name: "Read", description: "Reads.", parameters: [], resultType: coda.ValueType.String, ${more}
  execute: async function ([], context) {
${execute}
  },
});
`;

const flaggedTexts = (source: string): readonly string[] => {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => rule === "unauthorized-swallowed")
      .map(({ place }) => files[file]?.slice(place.start, place.end) ?? ""),
  );
};

const SWALLOWED: Readonly<Record<string, string>> = {
  "no name": `try { return ${FETCH}; } catch { return ""; }`,
  "a log": `try { return ${FETCH}; } catch (e) { console.log("failed", e); return ""; }`,
  "its message": `try { return ${FETCH}; } catch (e: any) { return \`Failed: \${e.message}\`; }`,
  destructured: `try { return ${FETCH}; } catch ({ message }) { return message; }`,
  "another error": `try { return ${FETCH}; } catch (error) { throw new coda.UserVisibleError("Failed: " + error.message); }`,
  "the status looked at, and another error for all": `try { return ${FETCH}; } catch (error) { if (error.statusCode === 404) { throw new coda.UserVisibleError("Not found"); } else if (error.statusCode === 403) return ""; throw new coda.UserVisibleError(\`Failed: \${error.message}\`); }`,
  "another error for a 401": `try { return ${FETCH}; } catch (error: any) { if (error.statusCode === 401) throw new coda.UserVisibleError("Sign in again."); return ""; }`,
  "the status reported": `try { return ${FETCH}; } catch (e) { const status = (e as any).statusCode ?? "?"; throw new coda.UserVisibleError("Failed: " + status + e.body?.message); }`,
  "a log of its status": `try { return ${FETCH}; } catch (e) { console.log("failed", { status: e.statusCode }); return ""; }`,
  "a custom log": `try { return ${FETCH}; } catch (error) { logOperation("READ", { error: error.message }); throw new Error("Failed."); }`,
  "rethrown only where it is the pack's own": `try { return ${FETCH}; } catch (error) { if (error instanceof coda.UserVisibleError) { throw error; } throw new coda.UserVisibleError(error instanceof Error ? error.message : String(error)); }`,
  "rethrown only where it is no status": `try { return ${FETCH}; } catch (error) { if (!coda.StatusCodeError.isStatusCodeError(error)) throw error; throw new coda.UserVisibleError(error.body.message); }`,
  "rethrown only of another status": `try { return ${FETCH}; } catch (error) { if (error.statusCode === 429 && context.timezone) { throw error; } else { return ""; } }`,
  "tried again of another status": `try { return ${FETCH}; } catch (error) { if (error.statusCode === 429) return later(error); return ""; }`,
  "taken apart by status, and told": `try { return ${FETCH}; } catch ({ statusCode, message }) { return statusCode === 404 ? "" : message; }`,
  ".catch": `const response = ${FETCH}.catch(() => undefined); return response?.body;`,
  ".then, .catch": `return ${FETCH}.then((response) => response.body).catch(function (error) { return String(error); });`,
  "a branch around": `if (context.timezone) { try { const r = (${FETCH}); return r.body; } catch (e) { console.error(e.message); } } return "";`,
  "page after page": `const all: any[] = []; try { let url = "https://acme.example/"; do { const r = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" }); all.push(r.body); url = r.body.next; } while (url); } catch (error) { throw new coda.UserVisibleError("Failed: " + error.message); } return all.join();`,
  "each of several": `for (const id of ["a", "b"]) { try { return ${FETCH}; } catch (e) { console.log(id, e); return ""; } } return "";`,
  "a page that ends the loop": `while (context.timezone) { try { return ${FETCH}; } catch (error) { if (error instanceof coda.UserVisibleError) { throw error; } else { throw new coda.UserVisibleError("Failed."); } } } return "";`,
  "an inner finally": `try { try { return ${FETCH}; } finally { console.log("done"); } } catch { return ""; }`,
};

const RETHROWN: Readonly<Record<string, string>> = {
  rethrown: `try { return ${FETCH}; } catch (e) { console.log(e); throw e; }`,
  inspected: `try { return ${FETCH}; } catch (e) { if (e.statusCode === 404) return ""; throw e; }`,
  "rethrown where it is a status": `try { return ${FETCH}; } catch (e) { if (coda.StatusCodeError.isStatusCodeError(e)) throw e; throw new coda.UserVisibleError("x"); }`,
  "rethrown where it is one of several": `try { return ${FETCH}; } catch (e) { if (e.statusCode === 401 || e.statusCode === 403) throw e; return ""; }`,
  "rethrown of all but one": `try { return ${FETCH}; } catch (e) { if (e.statusCode !== 404) { throw e; } return ""; }`,
  "rethrown after a look": `try { return ${FETCH}; } catch (e) { if (e.statusCode) { const { body } = e as coda.StatusCodeError; if (body?.message) throw new coda.UserVisibleError(body.message); } throw e; }`,
  "rethrown where it is the pack's own or not": `try { return ${FETCH}; } catch (e) { if (e instanceof coda.UserVisibleError || context.timezone) throw e; return ""; }`,
  "what is inside it": `try { return ${FETCH}; } catch (e) { throw e.cause; }`,
  "a custom sign-in": `try { return ${FETCH}; } catch { return login(); }`,
  "put into an object": `try { return ${FETCH}; } catch (error) { throw Object.assign(new Error("x"), { error: error }); }`,
  "passed to a log that may throw it": `try { return ${FETCH}; } catch (e) { logAndThrow(e); return ""; }`,
  "passed on": `try { return ${FETCH}; } catch (e) { throw wrap(e); }`,
  "passed on as its cause": `try { return ${FETCH}; } catch (e) { throw new coda.UserVisibleError("x", e); }`,
  "passed on in an object": `try { return ${FETCH}; } catch (e) { throw Object.assign(new Error("x"), { e }); }`,
  kept: `let last; try { return ${FETCH}; } catch (e) { last = e; } throw last;`,
  "its status kept, for code behind": `let status = 0; try { return ${FETCH}; } catch (e) { status = e.statusCode; } if (status === 401) throw new coda.MissingScopesError(); return "";`,
  "its status kept, where it has one": `let status = 0; try { return ${FETCH}; } catch (e) { status = (e as any).statusCode ?? 500; } if (status === 401) throw new coda.MissingScopesError(); return "";`,
  "its status kept among others": `const failed: number[] = []; await ${FETCH.replace("await ", "")}.catch((e) => void failed.push(e.statusCode)); if (failed.includes(401)) throw new coda.MissingScopesError(); return "";`,
  "its status returned": `const status = ${FETCH}.then(() => 200).catch((e) => e.statusCode); if (status === 401) throw new coda.MissingScopesError(); return "";`,
  "thrown by a helper that fails for every status": `try { return ${FETCH}; } catch (e) { fail(e); throw e; }`,
  "taken apart by status": `try { return ${FETCH}; } catch ({ statusCode }) { if (statusCode !== 404) fail(statusCode); return ""; }`,
  "tried again": `try { return ${FETCH}; } catch { return ${FETCH}; }`,
  "tried again by a helper": `try { return ${FETCH}; } catch { return again(); }`,
  "tried in a loop": `for (let i = 0; i < 3; i++) { try { return ${FETCH}; } catch { continue; } } return ${FETCH};`,
  "tried in a loop, and then given up": `for (let i = 0; i < 3; i++) { try { return ${FETCH}; } catch (e) { if (i < 2) continue; return ""; } } return "";`,
  "tried in a loop that goes on": `while (context.timezone) { try { return ${FETCH}; } catch (e) { console.log(e); } } return "";`,
  "tried in a loop that goes on by a condition": `while (context.timezone) { try { return ${FETCH}; } catch (e) { if (e.statusCode === 404) return ""; } } return "";`,
  "more access asked for": `try { return ${FETCH}; } catch { throw new coda.MissingScopesError(); }`,
  "no await": `try { return context.fetcher.fetch({ method: "GET", url: "https://acme.example/" }); } catch { return ""; }`,
  "no credentials": `try { return await context.fetcher.fetch({ method: "GET", url: "https://acme.example/", disableAuthentication: true }); } catch { return ""; }`,
  "another request that fails too": `let name = ""; try { name = (${FETCH}).body.name; } catch { name = "?"; } return name + (${FETCH}).body.id;`,
  "another function that may send one": `try { return ${FETCH}; } catch { } return other(context);`,
  "in the clause itself": `try { JSON.parse("{"); } catch { return ${FETCH}; }`,
  "only finally": `try { return ${FETCH}; } finally { console.log("done"); }`,
  "a handler by name": `return ${FETCH}.catch(onError);`,
  "a second argument of then": `return ${FETCH}.then((r) => r.body, () => "");`,
};

const GET = `context.fetcher.fetch({ method: "GET", url: "https://acme.example/" })`;
const PAGES = `let url = "/"; const all: any[] = []; while (url) { const page = await get(context); all.push(page.body); url = page.body.next; } return all.join();`;

/** Helpers that try again or hand on what failed, and what calls them. */
const RETHROWN_BY_HELPERS: Readonly<Record<string, readonly [helper: string, execute: string]>> = {
  "pages, tried again and then thrown": [
    `async function get(context: any, left = 3): Promise<any> { try { return await ${GET}; } catch (e) { if (left === 0) throw e; return get(context, left - 1); } }`,
    PAGES,
  ],
  "pages, tried again in a loop": [
    `async function get(context: any) { let last: any; for (let i = 0; i < 3; i++) { try { return await ${GET}; } catch (e) { last = e; } } throw last; }`,
    PAGES,
  ],
  "pages, by a helper that receives the attempt": [
    `async function retry(send: () => Promise<any>) { for (let i = 0; ; i++) { try { return await send(); } catch (e) { if (i === 3) throw e; } } }\nconst get = (context: any) => retry(() => ${GET});`,
    PAGES,
  ],
  "the status, returned to the caller that decides": [
    `async function attempt(context: any) { try { return { status: 200, body: (await ${GET}).body }; } catch (e) { return { status: e.statusCode, body: e.body }; } }`,
    `const { status, body } = await attempt(context); if (status === 401) throw new coda.MissingScopesError(); return body;`,
  ],
  "the status in an object, returned to the caller that decides": [
    `async function attempt(context: any) { try { return { body: (await ${GET}).body }; } catch (e) { return { failed: { status: e.statusCode || 500, message: e.message } }; } }`,
    `const { failed, body } = await attempt(context); if (failed?.status === 401) throw new coda.MissingScopesError(); return body;`,
  ],
  "a helper that fails for every status": [
    `function fail(e: any): never { throw new coda.UserVisibleError(e.message); }\nasync function get(context: any) { try { return await ${GET}; } catch (e) { fail(e); throw e; } }`,
    PAGES,
  ],
};

const LOST_BY_HELPERS: typeof RETHROWN_BY_HELPERS = {
  "pages, tried again by the caller, as if nothing had failed": [
    `async function get(context: any) { try { return await ${GET}; } catch (e) { console.log(e.message); return undefined; } }`,
    `for (let i = 0; i < 3; i++) { const page = await get(context); if (page) return page.body; } throw new coda.UserVisibleError("Failed.");`,
  ],
  "pages, with the status reported": [
    `async function get(context: any) { try { return await ${GET}; } catch (e) { throw new coda.UserVisibleError(\`Failed: \${e.statusCode}\`); } }`,
    PAGES,
  ],
};

describe("swallowed errors of requests", () => {
  for (const [name, [rest, execute]] of Object.entries(RETHROWN_BY_HELPERS))
    it(`errors that a helper passes on are not flagged: ${name}`, () => assert.deepEqual(flaggedTexts(packWith(execute, { rest })), []));
  for (const [name, [rest, execute]] of Object.entries(LOST_BY_HELPERS))
    it(`errors that a helper loses are flagged: ${name}`, () => assert.deepEqual(flaggedTexts(packWith(execute, { rest })), ["catch (e)"]));
  for (const [name, execute] of Object.entries(SWALLOWED))
    it(`swallowed errors are flagged, and each fix resolves them: ${name}`, () => {
      const files = split(packWith(execute));
      assert.equal(flaggedTexts(packWith(execute)).length, 1);
      const [diagnostic] = analyse(files)
        .diagnostics("/pack/pack.ts")
        .filter(({ rule }) => rule === "unauthorized-swallowed");
      for (const fix of diagnostic?.fixes ?? []) assert.deepEqual(flaggedTexts(apply(files, fix)["/pack/pack.ts"] ?? ""), [], fix.title);
    });
  for (const [name, execute] of Object.entries(RETHROWN))
    it(`errors that are not lost are not flagged: ${name}`, () => assert.deepEqual(flaggedTexts(packWith(execute)), []));

  it("swallowed errors are flagged across files", () => {
    const helper = `export async function get(context) {\n  try { return ${FETCH}; } catch { return ""; }\n}\n`;
    const rest = `import { get } from "./api";`;
    assert.deepEqual(flaggedTexts(`// @file: pack.ts\n${packWith("return get(context);", { rest })}// @file: api.ts\n${helper}`), [
      "catch",
    ]);
  });

  it("swallowed errors are flagged only with an account whose tokens are refreshed", () => {
    const executeBody = SWALLOWED["no name"] ?? "";
    assert.deepEqual(flaggedTexts(packWith(executeBody, { auth: "type: coda.AuthenticationType.HeaderBearerToken" })), []);
    assert.deepEqual(flaggedTexts(packWith(executeBody, { more: "connectionRequirement: coda.ConnectionRequirement.None," })), []);
    assert.equal(flaggedTexts(packWith(executeBody, { more: "connectionRequirement: coda.ConnectionRequirement.Required," })).length, 1);
  });
});
