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

const found = (source: string): readonly string[] => {
  const files = split(source);
  const analysis = analyse(files);
  return Object.keys(files).flatMap((file) =>
    analysis
      .diagnostics(file)
      .filter(({ rule }) => rule === "unauthorized-swallowed")
      .map(({ place }) => files[file]?.slice(place.start, place.end) ?? ""),
  );
};

const LOST: Readonly<Record<string, string>> = {
  "no name": `try { return ${FETCH}; } catch { return ""; }`,
  "a log": `try { return ${FETCH}; } catch (e) { console.log("failed", e); return ""; }`,
  "its message": `try { return ${FETCH}; } catch (e: any) { return \`Failed: \${e.message}\`; }`,
  "taken apart": `try { return ${FETCH}; } catch ({ message }) { return message; }`,
  "another error": `try { return ${FETCH}; } catch (error) { throw new coda.UserVisibleError("Failed: " + error.message); }`,
  ".catch": `const response = ${FETCH}.catch(() => undefined); return response?.body;`,
  ".then, .catch": `return ${FETCH}.then((response) => response.body).catch(function (error) { return String(error); });`,
  "a branch around": `if (context.timezone) { try { const r = (${FETCH}); return r.body; } catch (e) { console.error(e.message); } } return "";`,
  "an inner finally": `try { try { return ${FETCH}; } finally { console.log("done"); } } catch { return ""; }`,
};

const KEPT: Readonly<Record<string, string>> = {
  rethrown: `try { return ${FETCH}; } catch (e) { console.log(e); throw e; }`,
  "looked at": `try { return ${FETCH}; } catch (e) { if (e.statusCode === 404) return ""; throw e; }`,
  "handed on": `try { return ${FETCH}; } catch (e) { throw wrap(e); }`,
  "handed on as its cause": `try { return ${FETCH}; } catch (e) { throw new coda.UserVisibleError("x", e); }`,
  "handed on in an object": `try { return ${FETCH}; } catch (e) { throw Object.assign(new Error("x"), { e }); }`,
  kept: `let last; try { return ${FETCH}; } catch (e) { last = e; } throw last;`,
  "taken apart by status": `try { return ${FETCH}; } catch ({ statusCode }) { if (statusCode !== 404) fail(statusCode); return ""; }`,
  "tried again": `try { return ${FETCH}; } catch { return ${FETCH}; }`,
  "tried again by a helper": `try { return ${FETCH}; } catch { return again(); }`,
  "tried in a loop": `for (let i = 0; i < 3; i++) { try { return ${FETCH}; } catch { continue; } } return ${FETCH};`,
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

describe("errors of requests that a formula loses", () => {
  for (const [name, execute] of Object.entries(LOST))
    it(`are flagged: ${name}`, () => {
      const files = split(packWith(execute));
      assert.equal(found(packWith(execute)).length, 1);
      const [diagnostic] = analyse(files)
        .diagnostics("/pack/pack.ts")
        .filter(({ rule }) => rule === "unauthorized-swallowed");
      for (const fix of diagnostic?.fixes ?? []) assert.deepEqual(found(apply(files, fix)["/pack/pack.ts"] ?? ""), [], fix.title);
    });
  for (const [name, execute] of Object.entries(KEPT))
    it(`are silent where they are not lost: ${name}`, () => assert.deepEqual(found(packWith(execute)), []));

  it("are told across files", () => {
    const helper = `export async function get(context) {\n  try { return ${FETCH}; } catch { return ""; }\n}\n`;
    const rest = `import { get } from "./api";`;
    assert.deepEqual(found(`// @file: pack.ts\n${packWith("return get(context);", { rest })}// @file: api.ts\n${helper}`), ["catch"]);
  });

  it("matter only where tokens are refreshed, and with an account", () => {
    const lost = LOST["no name"] ?? "";
    assert.deepEqual(found(packWith(lost, { auth: "type: coda.AuthenticationType.HeaderBearerToken" })), []);
    assert.deepEqual(found(packWith(lost, { more: "connectionRequirement: coda.ConnectionRequirement.None," })), []);
    assert.equal(found(packWith(lost, { more: "connectionRequirement: coda.ConnectionRequirement.Required," })).length, 1);
  });
});
