import { getOrInsert } from "../../../base/get-or-insert.ts";
import { propertyOf } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { FunctionValue, ObjectValue, Parameter, Place } from "../model/values.ts";
import { carriedCredentials, named } from "../requests/carried-credentials.ts";
import { isCredentialName } from "../requests/credential-names.ts";
import { piecesOf } from "../requests/partial-text.ts";
import { parameterAt, withinObject } from "../requests/read-request.ts";
import { keyOf, requestsOf } from "../requests/requests.ts";
import { pack, rule } from "../rule.ts";
import { isWithin } from "../text/edit.ts";

export default rule({
  id: "credential-as-parameter",
  severity: "information",
  source: "auth-spec 1",
  docs: `A formula takes a credential as a parameter.

Call \`pack.setUserAuthentication\`, and remove the parameter. Everyone who reads the document can read its formulas. With an authentication each user enters the credential once, and the platform adds it to the requests. A credential in the path of a URL needs Custom authentication, whose placeholder may be there.`,
  examples: [
    {
      bad: pack`
        formula Me(key: The key.) {
          let response = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: \`Bearer \${«key»}\` } });
          return response.body.name;
        }`,
      good: ['me", headers: { Authorization: `Bearer ${key}`', 'me?id=" + key, headers: { "X-Request-Id": key'],
    },
    {
      bad: pack`
        formula Me(key: The key.) {
          let response = await context.fetcher.fetch({ method: "GET", url: coda.withQueryParams("https://acme.example/me", { api_key: «key» }) });
          return response.body.name;
        }`,
    },
    {
      bad: pack`
        formula Me(apiKey: The key.) {
          let response = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/v1/" + «apiKey» + "/me" });
          return response.body.name;
        }`,
    },
  ],
  on: {
    *pack(pack) {
      // Reported once for each parameter, because removing it is one change, however many requests use it.
      const reportedParameters = new Set<string>();
      const parametersByKey = new Map<string, readonly FormulaParameter[]>();
      for (const request of requestsOf(pack).all)
        for (const { piece, where, as } of carriedCredentials(pack, request)) {
          const isInPath = as === "segment";
          if (!isInPath && as !== "credential") continue;
          for (const { parameter, place } of parametersOf(pack, piece, parametersByKey)) {
            const name = pack.text(place.file).slice(place.start, place.end);
            // Most segments of a path are not credentials, so there the parameter's name decides.
            if (reportedParameters.has(parameter) || (isInPath && !isCredentialName(name))) continue;
            reportedParameters.add(parameter);
            yield {
              place,
              message: `${isInPath ? "Declare a Custom authentication for this, and write its placeholder in the URL" : pack.auths.length === 0 ? "Declare an authentication for this" : "Leave this to the pack's authentication"}. Users then enter it once, where nobody sees it. As a parameter, ${name} is sent as ${where}, and everybody who reads the document can read it.`,
            };
          }
        }
    },
  },
});

interface FormulaParameter {
  readonly parameter: string;
  /** The place where the formula names the parameter. */
  readonly place: Place;
}

/**
 * Returns the formulas' parameters that a value comes from, directly or through the callers of a helper. `parametersByKey` caches the
 * result for each parameter of a helper.
 */
function parametersOf(
  pack: PackModel,
  piece: Parameter,
  parametersByKey: Map<string, readonly FormulaParameter[]>,
): readonly FormulaParameter[] {
  const parameter = parameterOf(pack, piece);
  if (parameter !== undefined) return [{ parameter, place: piece.place }];
  const facts = pack.facts.find(({ file }) => file === piece.place.file);
  const helperParameter = parameterAt(piece, facts);
  if (helperParameter === undefined) return [];
  const { owner, index, rest } = helperParameter;
  const key = `${keyOf(owner.place)} ${[index, ...rest].join(".")}`;
  const cachedParameters = parametersByKey.get(key);
  if (cachedParameters !== undefined) return cachedParameters;
  // A recursive call adds nothing.
  parametersByKey.set(key, []);
  const name = piece.path[0] || pack.text(piece.place.file).slice(piece.place.start, piece.place.end);
  const isWritten = facts?.declarations.isWritten(name, owner.place);
  const callerArguments = (isWritten ? [] : requestsOf(pack).callers(owner.place)).flatMap((call) => {
    const argument = call.arguments[index];
    return (argument && withinObject(argument, rest, pack.resolve)) ?? [];
  });
  const parameters = callerArguments
    .flatMap((argument) => piecesOf(argument, pack.resolve).flatMap(named))
    .flatMap((one) => parametersOf(pack, one, parametersByKey));
  parametersByKey.set(key, parameters);
  return parameters;
}

/** Returns the formula's parameter that the value is: an item of the array that `execute` receives, by name or by index. */
function parameterOf(pack: PackModel, { place, path: [head = "", ...rest] }: Parameter): string | undefined {
  const { declarations } = pack.facts.find(({ file }) => file === place.file) ?? {};
  const owner = declarations?.scopeAt(head, place.start);
  for (const execute of owner === undefined ? [] : (pack.memo(pack, executesByEnd).get(owner.end) ?? [])) {
    // A function's scope includes the whitespace before the function.
    if (owner === undefined || execute.start < owner.start || !isWithin(place, execute)) continue;
    const binding = pack.functionAt(execute)?.bindings.find(({ name, index }) => index === 0 && name === head);
    const [item, ...inside] = binding?.property === undefined ? rest : [binding.property, ...rest];
    return binding !== undefined && inside.length === 0 && /^\d+$/.test(item ?? "") ? `${keyOf(execute)} ${item}` : undefined;
  }
  return undefined;
}

/** Returns the places of the formulas' functions by their ends. */
function executesByEnd(pack: PackModel): ReadonlyMap<number, readonly Place[]> {
  const byEnd = new Map<number, Place[]>();
  for (const { definition } of pack.runnables) {
    const place = executeOf(pack, definition)?.place;
    if (place !== undefined) getOrInsert(byEnd, place.end, () => []).push(place);
  }
  return byEnd;
}

function executeOf(pack: PackModel, definition: ObjectValue): FunctionValue | undefined {
  const formula = propertyOf(definition, "formula");
  const inner = formula === undefined ? definition : pack.resolve(formula.value);
  const execute = inner.kind === "object" ? propertyOf(inner, "execute") : undefined;
  const value = execute === undefined ? undefined : pack.resolve(execute.value);
  return value?.kind === "function" ? value : undefined;
}
