// One request as its call says it: its arguments, and what it is fetched from, with what the callers of the function around it give.

import { propertyOf } from "../configuration/config.ts";
import { isWholeHost } from "../domains/hosts.ts";
import type { ContextCall, FunctionFact } from "../model/context-facts.ts";
import type { FileFacts } from "../model/facts.ts";
import type { Names, ObjectValue, Place, Property, Resolve, Value } from "../model/values.ts";
import { isPassedUnchanged } from "../syntax/index-loop.ts";
import { find } from "../syntax/names/declarations.ts";
import { unknownAt } from "../syntax/names/mutations.ts";
import { type ArgumentOf, alternativesOf, type Piece, piecesOf, readBeginning, textOf } from "./partial-text.ts";

/** What a URL says, wherever it is written. */
export interface UrlText {
  /** Its beginning, as far as the source tells. */
  readonly leadingText: string;
  /** Nothing comes behind what is known. */
  readonly whole: boolean;
  /** In lower case; undefined where it is computed or there is none. */
  readonly host?: string;
  /** To be joined to the account's endpoint: `/path`. */
  readonly relative: boolean;
  /** All of it, with signs for the token and for what is not known. */
  readonly text: string;
}

/** A URL as it is written. */
export interface WrittenUrl extends UrlText {
  readonly place: Place;
  /** The literal that it begins with, where that stands elsewhere: behind a name. Else the same. */
  readonly beginning: Place;
  readonly pieces: readonly Piece[];
}

export interface RequestUrl extends WrittenUrl {
  /** Asked for only where the endpoint is known to be there, by whoever asks. */
  readonly guarded: boolean;
  /** One of several, by a condition or by assignments: another part of the code may make of it what is asked for. */
  readonly chosen: boolean;
}

/** What there is around a request. */
export interface Surroundings extends Names {
  readonly facts: (file: string) => FileFacts | undefined;
  readonly files: () => readonly FileFacts[];
  /** The calls of a function with a context among their arguments. */
  readonly callers: (owner: Place) => readonly ContextCall[];
}

/** A helper that calls a helper that calls a helper. */
const DEEPEST = 4;
/** A helper that is called from everywhere: more callers tell nothing new. */
const MOST_URLS = 500;

/** An absolute URL whose host is all there. */
const isPlaced = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i.test(text);

/** To be joined to the account's endpoint. */
const isPath = (text: string): boolean => text.startsWith("/") && !text.startsWith("//");

export const isWithin = (value: Place, other: Place): boolean =>
  value.file === other.file && other.start <= value.start && value.end <= other.end;

const NO_URLS: readonly RequestUrl[] = [];

/** What is asked for, where that is an object that can be read. */
export function optionsOf({ arguments: [argument] }: ContextCall, resolve: Resolve): ObjectValue | undefined {
  const resolved = argument === undefined ? undefined : resolve(argument);
  return resolved?.kind === "object" ? resolved : undefined;
}

/** What it is fetched from, once for each URL that callers give. */
export function readUrls(call: ContextCall, around: Surroundings): readonly RequestUrl[] {
  const { resolve } = around;
  const names: Names = { resolve, options: (value) => around.options(value).flatMap((one) => itemsOf(one, around)) };
  const argument = call.arguments[0];
  const resolved = argument === undefined ? undefined : resolve(argument);
  const property = resolved?.kind === "object" ? propertyOf(resolved, "url") : undefined;
  // Written out in its place: most are, and then nobody else has a say.
  if (property?.value.kind === "string")
    return [urlOf(property.value, piecesOf(property.value, resolve), { guarded: call.guarded, chosen: false })];
  const choices = argument === undefined || property !== undefined ? [] : around.options(argument);
  const isChosen = choices.length > 1;
  if (property === undefined && !isChosen && (resolved?.kind !== "unknown" || resolved.path === undefined)) return NO_URLS;
  const urls: RequestUrl[] = [];

  const parameterOf = (unknown: Value & { kind: "unknown" }) => parameterAt(unknown, around.facts(unknown.place.file));

  const add = (value: Value, argumentOf: ArgumentOf, depth: number, asking: Asking): void => {
    const alternatives = alternativesOf(value, names, isPlaced);
    const isChosen = alternatives.length > 1;
    // A path that is completed by another assignment, as by a look at what it is like, is not asked for by itself.
    const isCompleted = isChosen && value.kind !== "choice" && !alternatives.every((one) => isRelative(one));
    for (const one of alternatives) {
      if (isCompleted && isRelative(one)) urls.push(urlOf(value, [unknownAt(value.place)], asking));
      else addOne(one, value, argumentOf, depth, isChosen ? { ...asking, chosen: true } : asking);
    }
  };

  const isRelative = (value: Value): boolean => isPath(readBeginning(piecesOf(value, resolve)).text);

  /** `written` is what the author wrote for it. */
  const addOne = (value: Value, sourceValue: Value, argumentOf: ArgumentOf, depth: number, asking: Asking): void => {
    if (urls.length >= MOST_URLS) return;
    const where = isWithin(value.place, sourceValue.place) ? value : sourceValue;
    const pieces = piecesOf(value, resolve, argumentOf);
    const open = pieces.find((piece): piece is Piece & { kind: "unknown" } => piece.kind === "unknown");
    // What is known already says where it goes.
    const mayBeArgument = open?.path !== undefined && !asking.chosen && depth < DEEPEST && !isPlaced(readBeginning(pieces).text);
    const openParameter = mayBeArgument ? parameterOf(open) : undefined;
    const owner = openParameter?.owner.place;
    const sites = owner === undefined ? [] : around.callers(owner);
    if (open === undefined || openParameter === undefined || owner === undefined || sites.length === 0 || isWorkedOn(open, owner, around)) {
      urls.push(urlOf(where, pieces, asking));
      return;
    }
    for (const site of sites) {
      const environment: ArgumentOf = (unknown) => {
        const parameter = parameterOf(unknown);
        if (parameter?.owner.place.start !== openParameter.owner.place.start) return argumentOf(unknown);
        const own = site.arguments[parameter.index];
        if (own === undefined || resolve(own).kind === "undefined") return defaultOf(parameter, site, around);
        return withinObject(own, parameter.rest, resolve);
      };
      // The URL is written where the caller gives all of it.
      const whole = pieces.length === 1 && open !== undefined ? environment(open) : undefined;
      add(whole ?? value, environment, depth + 1, { ...asking, guarded: asking.guarded || site.guarded });
    }
  };

  const asking = { chosen: isChosen, guarded: call.guarded };
  if (isChosen)
    for (const choice of choices) {
      const request = resolve(choice);
      const url = request.kind === "object" ? propertyOf(request, "url") : undefined;
      if (url !== undefined) add(url.value, () => undefined, 0, asking);
    }
  else if (property !== undefined) add(property.value, () => undefined, 0, asking);
  else if (resolved?.kind === "unknown" && resolved.path !== undefined && argument !== undefined)
    add({ ...resolved, path: [...resolved.path, "url"] }, () => undefined, 0, asking);
  return urls;
}

/** Each item of the list that a loop goes through, where nothing in the loop may leave one out; else the value itself. */
function itemsOf(value: Value, around: Surroundings): readonly Value[] {
  const facts = value.kind === "reference" ? around.facts(value.place.file) : undefined;
  if (value.kind !== "reference" || facts === undefined) return [value];
  const declaration = find(facts.declarations.get(value.path[0] ?? ""), value.place.start);
  const each = declaration?.value?.kind === "unknown" ? declaration.value.each : undefined;
  if (declaration === undefined || each === undefined || !isPassedUnchanged(value, facts)) return [value];
  const list = around.resolve(each);
  const loop = facts.text.slice(declaration.scope.start, declaration.scope.end);
  return list.kind === "array" && !list.open && !BRANCHES.test(loop) ? list.items : [value];
}

/** A condition, in the text of a loop. */
const BRANCHES = /\b(?:if|switch|continue|break)\b|\?(?!\.)|&&|\|\|/;

/** A function's parameter, by its number, or what stands in it. */
interface ParameterPath {
  readonly owner: FunctionFact;
  readonly index: number;
  readonly rest: readonly string[];
}

/** The parameter that a name stands for, of the innermost function around it that has one of the name. */
export function parameterAt(
  { path: [head = "", ...rest] = [], place }: { readonly path?: readonly string[]; readonly place: Place },
  facts: FileFacts | undefined,
): ParameterPath | undefined {
  if (facts === undefined) return undefined;
  if (head === "") return readDestructuredParameter(rest, place, facts);
  let innermost: ParameterPath | undefined;
  for (const owner of facts.functions) {
    const index = owner.place.start <= place.start && place.start < owner.place.end ? owner.parameters.indexOf(head) : -1;
    if (index >= 0 && (innermost === undefined || owner.place.start > innermost.owner.place.start)) innermost = { owner, index, rest };
  }
  // A local name that hides the parameter.
  const declaration = innermost && find(facts.declarations.get(head), place.start);
  return declaration !== undefined && innermost !== undefined && declaration.scope.start > innermost.owner.place.start
    ? undefined
    : innermost;
}

/** The same of a name that stands for a property of a parameter: `{ context, path }`. */
function readDestructuredParameter(rest: readonly string[], place: Place, facts: FileFacts): ParameterPath | undefined {
  const scope = find(facts.declarations.get(localName(place, facts)), place.start)?.scope;
  const owner = facts.functions.find((one) => one.place.end === scope?.end && scope.start <= one.place.start);
  const index = owner?.parameters.indexOf("") ?? -1;
  // Of two, either may be meant.
  return owner === undefined || index < 0 || index !== owner.parameters.lastIndexOf("") ? undefined : { owner, index, rest };
}

/** What the function itself calls it. */
const localName = ({ start, end }: Place, { text }: FileFacts): string => text.slice(start, end);

/** What a parameter is where a caller leaves it out. */
function defaultOf({ owner, index, rest }: ParameterPath, { arguments: args }: ContextCall, around: Surroundings): Value | undefined {
  const bindings = around.facts(owner.place.file)?.functionAt(owner.place)?.bindings ?? [];
  const binding = rest.length > 0 ? undefined : bindings.find((one) => one.index === index && one.property === undefined);
  const isSpread = ({ place: { file, start } }: Value): boolean => around.facts(file)?.text.startsWith("...", start) !== false;
  return binding?.standard === undefined || args.some(isSpread) ? undefined : binding.standard;
}

/** How a URL is come by. */
interface Asking {
  /** One of several, by a condition that is not looked into: what callers give may go another way. */
  readonly chosen: boolean;
  readonly guarded: boolean;
}

/**
 * Whether the function does more with a parameter than to hand it on: it assigns to it, or looks at what it is like, as helpers do that
 * take paths as well as whole URLs. What callers give is then not what is asked for.
 */
function isWorkedOn(
  { path = [], place }: { readonly path?: readonly string[]; readonly place: Place },
  owner: Place,
  around: Surroundings,
): boolean {
  const facts = around.facts(owner.file);
  if (facts === undefined) return true;
  // One that is taken apart has names of its own for its properties.
  if (path[0] === "") return [localName(place, facts), path.at(-1) ?? ""].some((name) => isNameWorkedOn([name], owner, facts, around));
  return isNameWorkedOn(path, owner, facts, around);
}

function isNameWorkedOn(path: readonly string[], owner: Place, facts: FileFacts, around: Surroundings): boolean {
  const [head = ""] = path;
  if (facts.declarations.isWritten(head, owner)) return true;
  // Some function of the pack puts URLs into what it is given.
  if (path.length > 1 && facts.declarations.isPassed(head, owner) && writesUrl(around.files())) return true;
  return looksAt(path).test(facts.text.slice(owner.start, owner.end));
}

/** What matches a look at the value of the path. */
function looksAt(path: readonly string[]): RegExp {
  const escaped = path.map((step) => step.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const name = `(?<![\\w$])(?:${escaped.join("\\??\\.")}|${escaped.at(-1)})`;
  return new RegExp(
    `${name}(?:\\s*\\??\\.(?:startsWith|endsWith|includes|match|search|indexOf|charAt|at|slice|substr|substring|split)\\b|\\[|\\s*[!=]==?)|(?:\\.(?:test|exec|parse|canParse)|\\b(?:is|has)\\w*)\\(\\s*${name}(?![\\w$])`,
  );
}

/** Whether code of the files may put a URL into an object. */
export const writesUrl = (files: readonly FileFacts[]): boolean => files.some(({ text }) => WRITES_URL.test(text));

const WRITES_URL = /\.url\s*(?:\+|\?\?|\|\|)?=(?![=>])|\bObject\.assign\b/;

/** The property of what a caller gives, or all of it. */
export function withinObject(value: Value, path: readonly string[], resolve: Resolve): Value | undefined {
  let current: Value | undefined = value;
  for (const [depth, name] of path.entries()) {
    const object: Value = resolve(current);
    if (object.kind === "unknown" && object.path !== undefined) return { ...object, path: [...object.path, ...path.slice(depth)] };
    current = object.kind === "object" ? object.properties.findLast((property: Property) => property.name === name)?.value : undefined;
    if (current === undefined) return undefined;
  }
  return current;
}

/** What a value says of itself as the URL of a request. Written out in one piece, since each request has one and most have a host. */
export function urlOf(value: Value, pieces: readonly Piece[], { guarded, chosen }: Asking = { guarded: false, chosen: false }): RequestUrl {
  const { text: leadingText, whole } = readBeginning(pieces);
  const host = hostOf(leadingText, whole);
  const { place } = value;
  const first = pieces[0];
  const beginning = first?.kind === "text" && !isWithin(first.place, place) ? first.place : place;
  const text = whole ? leadingText : textOf(pieces);
  const relative = isPath(leadingText);
  return host === undefined
    ? { place, beginning, pieces, leadingText, whole, text, relative, guarded, chosen }
    : { place, beginning, pieces, leadingText, whole, text, host, relative, guarded, chosen };
}

/** The host of an absolute URL whose end is seen, or is followed by a path that is not known. */
export function hostOf(text: string, whole: boolean): string | undefined {
  const match = /^https?:\/\/(?:[^/?#@]*@)?([a-z0-9.-]+)(?::\d+)?([/?#]|$)/i.exec(text);
  if (match?.[1] === undefined) return undefined;
  const host = match[1].toLowerCase().replace(/\.$/, "");
  return match[2] !== "" || whole || isWholeHost(host) ? host : undefined;
}

/** Whether its host may go on in what is not known of it. */
export const isHostOpen = ({ leadingText, whole }: UrlText): boolean => !whole && !isPlaced(leadingText);
