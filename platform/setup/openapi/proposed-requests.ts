// The requests of a proposal: one that names the user, and one for a formula.
import type { Proposal, ProposedRequest, TextWithSlots } from "../../../protocol/setup.ts";
import type { Operation, RequestParameter, SimpleRequest } from "./api-description.ts";
import type { ServerAddress } from "./server-address.ts";

const MOST_PARAMETERS = 3;

/** Paths at which APIs have the current user, the most common ones first. */
const USER_PATHS = [
  /\/(?:me|users?\/(?:@?me|self|current))\/?$/i,
  /\/(?:whoami|userinfo|myself|current[-_]?user)\/?$/i,
  /\/(?:user|profile)\/?$/i,
  /\/account\/?$/i,
];

export type RequestingOperation = Operation & { readonly request: SimpleRequest };

const hasRequest = (operation: Operation): operation is RequestingOperation => operation.request !== undefined;

/** Returns the operation that names the user, if there is one without parameters. */
export function findUserOperation(operations: readonly Operation[]): RequestingOperation | undefined {
  const plain = operations.filter(hasRequest).filter(({ request, namePath }) => request.parameters.length === 0 && namePath !== undefined);
  return USER_PATHS.map((path) => plain.find((operation) => path.test(operation.path))).find((operation) => operation !== undefined);
}

/** Returns the first operation for a formula: one without parameters if possible, and another one than names the user. */
export function findFormulaOperation(operations: readonly Operation[], user: Operation | undefined): RequestingOperation | undefined {
  const simple = operations.filter(hasRequest).filter(({ request }) => request.parameters.length <= MOST_PARAMETERS);
  const candidates = simple.filter((operation) => operation !== user);
  return candidates.find(({ request }) => request.parameters.length === 0) ?? candidates[0] ?? simple[0];
}

export function userRequestOf(operation: RequestingOperation, server: ServerAddress): Exclude<Proposal["userRequest"], undefined> {
  return { ...requestOf(operation, server, new Map()), namePath: operation.namePath ?? [] };
}

export function formulaOf(operation: RequestingOperation, server: ServerAddress): Exclude<Proposal["formula"], undefined> {
  const names = new Map<RequestParameter, string>();
  for (const parameter of operation.request.parameters) {
    const name = camelCase(parameter.name);
    names.set(parameter, [...names.values()].includes(name) ? `${name}${names.size + 1}` : name);
  }
  return {
    name: formulaName(operation),
    description: operation.summary || `Sends GET ${operation.path}.`,
    request: requestOf(operation, server, names),
    parameters: [...names].map(([{ description, name, example }, parameter]) => ({
      name: parameter,
      description: description || `The parameter ${name} of the request.`,
      ...(example === undefined ? {} : { suggestedValue: example }),
    })),
  };
}

function requestOf(
  { method, path, origin, request }: RequestingOperation,
  { base }: ServerAddress,
  names: ReadonlyMap<RequestParameter, string>,
): ProposedRequest {
  const slots = new Map([...names].map(([{ place, name }, parameter]) => [`${place} ${name}`, { parameter }]));
  const url: TextWithSlots[number][] = [...base];
  for (const [index, piece] of path.split(/\{([^{}]+)\}/).entries())
    url.push(index % 2 === 0 ? piece : (slots.get(`path ${piece}`) ?? piece));
  for (const [index, { name }] of request.parameters.filter(({ place }) => place === "query").entries())
    url.push(`${index === 0 ? "?" : "&"}${encodeURIComponent(name)}=`, slots.get(`query ${name}`) ?? "");
  return { method, url: joinStrings(url), headers: request.headers.map(({ name, value }) => ({ name, value: [value] })), origin };
}

/** Joins neighbouring strings. */
function joinStrings(pieces: TextWithSlots): TextWithSlots {
  const result: TextWithSlots[number][] = [];
  for (const piece of pieces) {
    const before = result.at(-1);
    if (typeof piece !== "string") result.push(piece);
    else if (typeof before === "string") result[result.length - 1] = before + piece;
    else if (piece !== "") result.push(piece);
  }
  return result;
}

/** Returns a name from the operation's ID, its summary or its path: `issues/list-for-repo` → `IssuesListForRepo`. */
function formulaName({ id, summary, path }: Operation): string {
  const words = [
    wordsOf(id),
    wordsOf(summary).slice(0, 6),
    ["Get", ...wordsOf(path.replace(/\{[^{}]+\}|^(?:\/api)?\/v\d[\d.]*(?=\/)/g, " "))],
  ].find(({ length }) => length > 0);
  const name = (words ?? []).map(capital).join("");
  return (/^\d/.test(name) ? `Get${name}` : name).slice(0, 60);
}

const wordsOf = (text: string): readonly string[] => text.match(/[A-Za-z\d]+/g) ?? [];
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function camelCase(name: string): string {
  const text = wordsOf(name).map(capital).join("");
  const identifier = text.charAt(0).toLowerCase() + text.slice(1);
  return /^[a-z]/.test(identifier) ? identifier : `parameter${text}`;
}
