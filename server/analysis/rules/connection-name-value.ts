import { fix, nameOf, propertyOf } from "../config.ts";
import { type FunctionReturns, returnsOf } from "../function-facts.ts";
import type { Finding, Fix, PackModel, Place, TextEdit, Value } from "../model.ts";
import { rule } from "../rule.ts";

const PACK = (body: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n  ${body}\n});\n`;

export default rule({
  id: "connection-name-value",
  severity: "warning",
  source: "auth-spec 5.6",
  fields: ["getConnectionName"],
  docs: `\`getConnectionName\` cannot name an account.

It is called after the user has entered credentials, and what it returns is the account's label. Here no path returns a value, or every path the same one, or a property is read of a promise that was not awaited. People with two accounts then cannot tell them apart. Fetch the user's name and return it.`,
  examples: [
    {
      bad: PACK(
        `getConnectionName: async function (context) {\n    let response = «context.fetcher.fetch»({ method: "GET", url: "https://example.com/me" });\n    return response.body.name;\n  },`,
      ),
      fixed: PACK(
        `getConnectionName: async function (context) {\n    let response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/me" });\n    return response.body.name;\n  },`,
      ),
    },
    {
      bad: PACK(
        `«getConnectionName»: async function (context) {\n    await context.fetcher.fetch({ method: "GET", url: "https://example.com/me" });\n  },`,
      ),
    },
    {
      bad: PACK(`async «getConnectionName»(context) {\n    let name = "Example";\n    return name;\n  },`).replace(
        "async «getConnectionName»",
        "«getConnectionName»: async function ",
      ),
    },
    {
      good: PACK(
        `getConnectionName: async function (context) {\n    if (!context.endpoint) return "Example";\n    let response = await context.fetcher.fetch({ method: "GET", url: "https://example.com/me" });\n    return response.body.name;\n  },`,
      ),
    },
  ],
  *check(pack) {
    for (const auth of pack.auths) {
      const property = propertyOf(auth.config, "getConnectionName");
      const value = property === undefined ? undefined : pack.resolve(property.value);
      if (property === undefined || value?.kind !== "function") continue;
      const source = pack.text(value.file);
      const returns = returnsOf(value, source);
      if (returns === undefined || returns.generator) continue;
      const missed = [...unawaited(pack, value, returns)];
      yield* missed;
      // A fragment's name is still to be filled in.
      if (missed.length > 0 || pack.partial) continue;
      const problem = problemOf(pack, returns);
      if (problem !== undefined) yield { place: nameOf(property), message: problem };
    }
  },
});

function problemOf(pack: PackModel, returns: FunctionReturns): string | undefined {
  const values = returns.values.map((value) => pack.resolve(value));
  if (values.every(({ kind }) => kind === "undefined" || kind === "null"))
    return returns.throws && !returns.endsOpen
      ? undefined
      : "getConnectionName returns nothing on any path, so every account gets the name of the person who added it. Return the name of the account.";
  const texts = values.map((value) => (value.kind === "string" ? value.value : undefined));
  if (returns.endsOpen || texts.some((text) => text === undefined || text !== texts[0])) return undefined;
  return texts[0] === ""
    ? "getConnectionName always returns an empty text, so every account gets the name of the person who added it. Fetch the name of the account and return it."
    : `getConnectionName always returns ${JSON.stringify(texts[0])}, so accounts cannot be told apart. Fetch the name of the account and return it.`;
}

function* unawaited(pack: PackModel, value: Value & { readonly kind: "function" }, returns: FunctionReturns): Iterable<Finding> {
  for (const { call, callee, property } of returns.unawaited) {
    if (callee.kind !== "reference" || !givesPromise(pack, callee)) continue;
    yield {
      place: { file: callee.file, start: callee.start, end: callee.end },
      message: `${callee.path.join(".")} returns a promise, and ${property} is read before it is there: the name is lost, or the call fails. Add await.`,
      fixes: () => addAwait(pack, value, call, returns),
    };
  }
}

function givesPromise(pack: PackModel, callee: Value & { readonly kind: "reference" }): boolean {
  if (callee.path.at(-1) === "fetch" && callee.path.at(-2) === "fetcher") return true;
  const meant = pack.resolve(callee);
  if (meant.kind === "unknown") return meant.path?.at(-1) === "fetch" && meant.path.at(-2) === "fetcher";
  return meant.kind === "function" && meant.async && !pack.text(meant.file).slice(meant.start, meant.end).includes("makeMetadataFormula");
}

function addAwait(pack: PackModel, value: Place, call: Place, returns: FunctionReturns): readonly Fix[] {
  const source = pack.text(call.file);
  const isRead = source[call.end] === "." || source[call.end] === "?";
  const edits: TextEdit[] = [{ file: call.file, start: call.start, end: call.start, text: isRead ? "(await " : "await " }];
  if (isRead) edits.push({ file: call.file, start: call.end, end: call.end, text: ")" });
  if (!returns.async) edits.unshift({ file: value.file, start: returns.asyncAt, end: returns.asyncAt, text: "async " });
  return [fix("Add await", ...edits)];
}
