import { fix, nameOf, propertyOf } from "../configuration/config.ts";
import type { Finding, Fix, TextEdit } from "../model/findings.ts";
import type { FunctionReturns } from "../model/function-facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place, Reference, Value } from "../model/values.ts";
import { bearer, rule } from "../rule.ts";
import { openPath } from "../syntax/expressions.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "connection-name-value",
  severity: "warning",
  source: "auth-spec 5.6",
  docs: `\`getConnectionName\` cannot name an account.

Fetch the user's name and return it. The platform calls \`getConnectionName\` after the user has entered credentials, and its result becomes the account's label. Here it returns nothing, an object, or always the same value, or it reads a property of a promise without \`await\`. Users with two accounts then cannot tell them apart.`,
  examples: [
    {
      bad: bearer`
        getConnectionName: async function (context) {
          let response = «context.fetcher.fetch»({ method: "GET", url: "https://acme.example/me" });
          return response.body.name;
        },`,
      change: ["context.fetcher.fetch", "await context.fetcher.fetch"],
      good: ["let response =", 'if (!context.endpoint) return "Example";\n    let response = await'],
    },
    {
      bad: bearer`
        «getConnectionName»: async function (context) {
          await context.fetcher.fetch({ method: "GET", url: "https://acme.example/me" });
        },`,
    },
    {
      bad: bearer`
        «getConnectionName»: async function (context) {
          let name = "Example";
          return name;
        },`,
    },
    {
      bad: bearer`
        getConnectionName: async function (context) {
          let response = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/me" });
          return «{ name: response.body.name }»;
        },`,
    },
  ],
  on: {
    *configuration(pack, auth) {
      const property = propertyOf(auth.config, "getConnectionName");
      const value = property === undefined ? undefined : pack.resolve(property.value);
      if (property === undefined || value?.kind !== "function") return;
      const returns = pack.functionAt(value.place);
      if (returns === undefined || returns.generator) return;
      const missed = [...unawaited(pack, returns)];
      yield* missed;
      // In a fragment of a pack, the connection name may be unfinished.
      if (missed.length > 0 || pack.partial) return;
      const problem = problemOf(pack, returns);
      if (problem !== undefined) yield { place: nameOf(property), message: problem };
      for (const returned of returns.values) {
        const value = pack.resolve(returned);
        if (isNoName(value))
          yield {
            place: returned.place,
            message: `Return the name of the account as a string. getConnectionName returns ${value.kind === "array" ? "an array" : "an object"} here, which cannot be the account's label.`,
          };
      }
    },
  },
});

function problemOf(pack: PackModel, returns: FunctionReturns): string | undefined {
  const values = returns.values.map((value) => pack.resolve(value));
  if (values.every(({ kind }) => kind === "undefined" || kind === "null"))
    return returns.throws && !returns.endsOpen
      ? undefined
      : "Return the name of the account. getConnectionName returns nothing, so every account gets the name of the person who added it.";
  const texts = values.map((value) => (value.kind === "string" ? value.value : undefined));
  if (returns.endsOpen || texts.some((text) => text === undefined || text !== texts[0])) return undefined;
  return texts[0] === ""
    ? "Fetch the name of the account and return it. getConnectionName always returns an empty string, so every account gets the name of the person who added it."
    : `Fetch the name of the account and return it. getConnectionName always returns ${JSON.stringify(texts[0])}, so users cannot tell their accounts apart.`;
}

/** Returns whether the value is an array, or an object without a field to display. */
const isNoName = (value: Value): boolean =>
  value.kind === "array" || (value.kind === "object" && !value.open && propertyOf(value, "display") === undefined);

function* unawaited(pack: PackModel, returns: FunctionReturns): Iterable<Finding> {
  for (const { call, callee, property } of returns.unawaited) {
    if (callee.kind !== "reference" || !givesPromise(pack, callee)) continue;
    yield {
      place: callee.place,
      message: `Add await. ${callee.path.join(".")} returns a promise, so ${property} is not there yet: the name is lost, or the call fails.`,
      fixes: () => addAwait(pack, call, returns),
    };
  }
}

function givesPromise(pack: PackModel, callee: Reference): boolean {
  if (callee.path.at(-1) === "fetch" && callee.path.at(-2) === "fetcher") return true;
  const resolvedCallee = pack.resolve(callee);
  const path = openPath(resolvedCallee);
  if (path !== undefined) return path.at(-1) === "fetch" && path.at(-2) === "fetcher";
  return (
    resolvedCallee.kind === "function" &&
    resolvedCallee.async &&
    !pack.text(resolvedCallee.place.file).slice(resolvedCallee.place.start, resolvedCallee.place.end).includes("makeMetadataFormula")
  );
}

function addAwait(pack: PackModel, call: Place, returns: FunctionReturns): readonly Fix[] {
  const source = pack.text(call.file);
  const isRead = source[call.end] === "." || source[call.end] === "?";
  const edits: TextEdit[] = [{ file: call.file, start: call.start, end: call.start, text: isRead ? "(await " : "await " }];
  if (isRead) edits.push({ file: call.file, start: call.end, end: call.end, text: ")" });
  if (!returns.async) edits.unshift(replace(returns.asyncAt, "async "));
  return [fix("Add await", ...edits)];
}
