// One request as its call describes it: its arguments and its URLs, including what callers of the enclosing function pass.

import { propertyOf } from "../configuration/config.ts";
import { isWholeHost } from "../domains/hosts.ts";
import type { ContextCall, FunctionFact } from "../model/context-facts.ts";
import type { FileFacts } from "../model/facts.ts";
import type { Expression, Instance, Names, ObjectValue, Parameter, Place, Property, Resolve, Value } from "../model/values.ts";
import { itemsOf as itemsIn } from "../pack/look-up.ts";
import { listGoneThrough } from "../pack/loop-items.ts";
import { openPath } from "../syntax/expressions.ts";
import { BRANCHES, isPassedUnchanged } from "../syntax/index-loop.ts";
import { find } from "../syntax/names/declarations.ts";
import { unknownAt } from "../syntax/names/mutations.ts";
import { partAt } from "../syntax/names/substitute-arguments.ts";
import { type ArgumentOf, alternativesOf, isOpen, type Piece, piecesOf, readBeginning, textOf } from "./partial-text.ts";

/** The contents of a URL, independent of its place. */
export interface UrlText {
  /** Its beginning, as far as the source determines it. */
  readonly leadingText: string;
  /** Whether the URL ends with the known text. */
  readonly whole: boolean;
  /** In lower case; undefined if the host is computed or absent. */
  readonly host?: string;
  /** Whether the URL is a path that is appended to the account's endpoint: `/path`. */
  readonly relative: boolean;
  /** The whole URL, with single characters for the token and for unknown values. */
  readonly text: string;
}

/** A URL in the source. */
export interface WrittenUrl extends UrlText {
  readonly place: Place;
  /** The literal that the URL begins with, if a name refers to it; otherwise the same as `place`. */
  readonly beginning: Place;
  readonly pieces: readonly Piece[];
}

export interface RequestUrl extends WrittenUrl {
  /** Whether the request, or a call on the way to it, runs only if the endpoint is set. */
  readonly guarded: boolean;
  /** Whether the URL is one of several, by a condition or by assignments. Other code may decide which is requested. */
  readonly chosen: boolean;
  /** Whether the URL depends on the objects of the class around the request. */
  readonly ofObject?: boolean;
}

/** What a call passes to the function around a request. */
type Site = Pick<ContextCall, "arguments" | "guarded">;

/** The context in which a request is read. */
export interface Surroundings extends Names {
  readonly facts: (file: string) => FileFacts | undefined;
  readonly files: () => readonly FileFacts[];
  /** Returns the calls of a function that pass a context. */
  readonly callers: (owner: Place) => readonly ContextCall[];
  /** For each call of a function that the owner returns: binds the names of the call of the owner. */
  readonly bindsIn: (owner: Place) => readonly ((value: Expression) => Expression)[];
  /** Returns the calls of any function, which are found by its name. */
  readonly otherCallers: (owner: Place) => readonly Site[];
  /** Returns the objects of the class or the literal around the place, if no other code writes to the field. */
  readonly objectsAround: (at: Place, field: string) => readonly (Instance | ObjectValue)[];
}

/** Maximum number of nested helper calls. */
const DEEPEST = 4;
/** Maximum number of URLs of a helper; further callers add nothing new. */
const MOST_URLS = 500;

/** Whether the text is an absolute URL with a complete host. */
const isPlaced = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i.test(text);

/** Whether the text is a path that is appended to the account's endpoint. */
const isPath = (text: string): boolean => text.startsWith("/") && !text.startsWith("//");

export const isWithin = (value: Place, other: Place): boolean =>
  value.file === other.file && other.start <= value.start && value.end <= other.end;

const NO_URLS: readonly RequestUrl[] = [];

/** Returns the request's options, if they are an object that can be read. */
export function optionsOf({ arguments: [argument] }: ContextCall, resolve: Resolve): ObjectValue | undefined {
  const resolved = argument === undefined ? undefined : resolve(argument);
  return resolved?.kind === "object" ? resolved : undefined;
}

/** Returns the URLs of a request, one for each URL that callers pass. */
export function readUrls(call: ContextCall, around: Surroundings): readonly RequestUrl[] {
  const { resolve } = around;
  const names: Names = { resolve, options: (value) => around.options(value).flatMap((one) => itemsOf(one, around)) };
  const argument = call.arguments[0];
  const resolved = argument === undefined ? undefined : resolve(argument);
  const property = resolved?.kind === "object" ? propertyOf(resolved, "url") : undefined;
  // Most URLs are written directly in the request; then no other code can affect them.
  if (property?.value.kind === "string")
    return [urlOf(property.value, piecesOf(property.value, resolve), { guarded: call.guarded, chosen: false })];
  const choices = argument === undefined || property !== undefined ? [] : around.options(argument);
  const isChosen = choices.length > 1;
  if (property === undefined && !isChosen && openPath(resolved) === undefined) return NO_URLS;
  const urls: RequestUrl[] = [];

  const parameterOf = (parameter: Parameter) => parameterAt(parameter, around.facts(parameter.place.file));

  const add = (value: Expression, argumentOf: ArgumentOf, depth: number, asking: Asking): void => {
    const alternatives = alternativesOf(value, names, isPlaced);
    const isChosen = alternatives.length > 1;
    // A path that another assignment completes to an absolute URL is not requested by itself.
    const isCompleted = isChosen && value.kind !== "choice" && !alternatives.every((one) => isRelative(one));
    for (const one of alternatives) {
      if (isCompleted && isRelative(one)) urls.push(urlOf(value, [unknownAt(value.place)], asking));
      else addOne(one, value, argumentOf, depth, isChosen ? { ...asking, chosen: true } : asking);
    }
  };

  const isRelative = (value: Expression): boolean => isPath(readBeginning(piecesOf(value, resolve)).text);

  /** `sourceValue` is the value in the source that `value` comes from. */
  const addOne = (value: Expression, sourceValue: Expression, argumentOf: ArgumentOf, depth: number, asking: Asking): void => {
    if (urls.length >= MOST_URLS) return;
    const where = isWithin(value.place, sourceValue.place) ? value : sourceValue;
    const pieces = piecesOf(value, resolve, argumentOf);
    const open = pieces.find(isOpen);
    // The known beginning already contains the host.
    const mayBeArgument = open?.kind === "parameter" && !asking.chosen && depth < DEEPEST && !isPlaced(readBeginning(pieces).text);
    if (mayBeArgument && open.path[0] === "this") {
      const objects = around.objectsAround(open.place, open.path[1] ?? "");
      for (const object of objects) {
        const isOwn = ({ place }: Parameter): boolean =>
          object.kind === "object" ? isWithin(place, object.place) : isOfClass(object.class, place, around);
        const environment: ArgumentOf = (part) =>
          part.path[0] !== "this" ? argumentOf(part) : isOwn(part) ? partAt(object, part.path.slice(1), part.place) : undefined;
        add(value, environment, depth + 1, { ...asking, ofObject: true });
      }
      if (objects.length === 0) urls.push(urlOf(where, pieces, { ...asking, ofObject: true }));
      return;
    }
    const openParameter = mayBeArgument ? parameterOf(open) : undefined;
    const owner = openParameter?.owner.place;
    const callers: readonly Site[] = owner === undefined ? [] : around.callers(owner);
    const bound = owner === undefined || callers.length > 0 ? [] : around.bindsIn(owner).map((bind) => bind(value));
    if (bound.length > 0 && bound.every((one) => one !== value)) {
      for (const one of bound) add(one, argumentOf, depth + 1, asking);
      return;
    }
    const sites = owner !== undefined && callers.length === 0 ? around.otherCallers(owner) : callers;
    if (!mayBeArgument || openParameter === undefined || owner === undefined || sites.length === 0 || isWorkedOn(open, owner, around)) {
      urls.push(urlOf(where, pieces, asking));
      return;
    }
    for (const site of sites) {
      const environment: ArgumentOf = (value) => {
        const parameter = parameterOf(value);
        if (parameter?.owner.place.start !== openParameter.owner.place.start) return argumentOf(value);
        const own = site.arguments[parameter.index];
        const object = own && resolve(own);
        const isAbsent = own === undefined || object?.kind === "undefined";
        const inside = isAbsent ? undefined : withinObject(own, parameter.rest, resolve);
        const mayBeDefault = isAbsent || (object?.kind === "object" && !object.open);
        return inside ?? (mayBeDefault ? defaultOf(parameter, site, isAbsent, around) : undefined);
      };
      // If the caller passes the whole URL, the URL's place is in the caller.
      const whole = pieces.length === 1 ? environment(open) : undefined;
      // Any edit may add another call.
      const ofObject = asking.ofObject === true || callers.length === 0;
      add(whole ?? value, environment, depth + 1, { ...asking, ofObject, guarded: asking.guarded || site.guarded });
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
  else if (resolved?.kind === "parameter" && argument !== undefined)
    add({ ...resolved, path: [...resolved.path, "url"] }, () => undefined, 0, asking);
  return urls;
}

/** Returns each item of the list that a loop iterates over, if the loop cannot skip one; otherwise the value itself. */
function itemsOf(value: Expression, around: Surroundings): readonly Expression[] {
  const facts = value.kind === "reference" ? around.facts(value.place.file) : undefined;
  if (value.kind !== "reference" || facts === undefined) return [value];
  const declaration = find(facts.declarations.get(value.path[0] ?? ""), value.place.start);
  const list = declaration?.value && listGoneThrough(declaration.value, around.resolve);
  if (declaration === undefined || list === undefined || !isPassedUnchanged(value, facts)) return [value];
  const items = itemsIn(list, around.resolve);
  const loop = facts.text.slice(declaration.scope.start, declaration.scope.end);
  return items !== undefined && !BRANCHES.test(loop) ? items : [value];
}

/** A function's parameter by its index, and the path of a property in it. */
interface ParameterPath {
  readonly owner: FunctionFact;
  readonly index: number;
  readonly rest: readonly string[];
}

/** Returns the parameter that a name refers to, in the innermost enclosing function that has a parameter of that name. */
export function parameterAt({ path: [head = "", ...rest], place }: Parameter, facts: FileFacts | undefined): ParameterPath | undefined {
  if (facts === undefined) return undefined;
  if (head === "") return readDestructuredParameter(rest, place, facts);
  let innermost: ParameterPath | undefined;
  for (const owner of facts.functions) {
    const index = owner.place.start <= place.start && place.start < owner.place.end ? owner.parameters.indexOf(head) : -1;
    if (index >= 0 && (innermost === undefined || owner.place.start > innermost.owner.place.start)) innermost = { owner, index, rest };
  }
  // A local name may hide the parameter.
  const scope = innermost && facts.declarations.scopeAt(head, place.start);
  return scope !== undefined && innermost !== undefined && scope.start > innermost.owner.place.start ? undefined : innermost;
}

/** Like {@link parameterAt}, for a name that destructures a parameter: `{ context, path }`. */
function readDestructuredParameter(rest: readonly string[], place: Place, facts: FileFacts): ParameterPath | undefined {
  const scope = facts.declarations.scopeAt(localName(place, facts), place.start);
  // A function that it returns may end with it.
  const [owner] = facts.functions
    .filter((one) => one.place.end === scope?.end && scope.start <= one.place.start)
    .sort((a, b) => a.place.start - b.place.start);
  const index = owner?.parameters.indexOf("") ?? -1;
  // With two destructured parameters, it is unknown which declares the name.
  return owner === undefined || index < 0 || index !== owner.parameters.lastIndexOf("") ? undefined : { owner, index, rest };
}

/** Returns the function's local name for the property. */
const localName = ({ start, end }: Place, { text }: FileFacts): string => text.slice(start, end);

/** Returns the default value of a parameter, or of a property of one, that a caller omits. `isAbsent` says that it omits all of it. */
function defaultOf(
  { owner, index, rest }: ParameterPath,
  { arguments: args }: Site,
  isAbsent: boolean,
  around: Surroundings,
): Expression | undefined {
  const bindings = around.facts(owner.place.file)?.functionAt(owner.place)?.bindings ?? [];
  const binding = bindings.find((one) => one.index === index && (one.property === undefined || one.property === rest[0]));
  const isSpread = ({ place: { file, start } }: Expression): boolean => around.facts(file)?.text.startsWith("...", start) !== false;
  if (binding === undefined || args.some(isSpread)) return undefined;
  const { property, standard, whole = property === undefined ? standard : undefined } = binding;
  const inside = isAbsent && whole ? withinObject(whole, rest, around.resolve) : undefined;
  return inside ?? (property !== undefined && rest.length === 1 ? standard : undefined);
}

/** The circumstances of a request for a URL. */
interface Asking {
  /** Whether the URL is one of several, by a condition that is not evaluated: the URLs that callers pass may take the other branch. */
  readonly chosen: boolean;
  readonly guarded: boolean;
  readonly ofObject?: boolean;
}

/** Maximum number of classes that extend each other. */
const MOST_CLASSES = 10;

/** Whether the place is in the class, or in one that it extends. */
export function isOfClass(reference: Expression, at: Place, around: Pick<Surroundings, "resolve" | "facts">, depth = 0): boolean {
  const value = around.resolve(reference);
  if (value.kind !== "object" || depth > MOST_CLASSES) return false;
  const base = isWithin(at, value.place) ? undefined : around.facts(value.place.file)?.classAt(value.place)?.base;
  return base === undefined ? isWithin(at, value.place) : isOfClass(base, at, around, depth + 1);
}

/**
 * Whether the function does more with a parameter than pass it on: it assigns to it, or tests its contents. Helpers that accept paths as
 * well as whole URLs do so, and then request another URL than the caller passes.
 */
function isWorkedOn({ path, place }: Parameter, owner: Place, around: Surroundings): boolean {
  const facts = around.facts(owner.file);
  if (facts === undefined) return true;
  // A destructured parameter has local names for its properties.
  if (path[0] === "") return [localName(place, facts), path.at(-1) ?? ""].some((name) => isNameWorkedOn([name], owner, facts, around));
  return isNameWorkedOn(path, owner, facts, around);
}

function isNameWorkedOn(path: readonly string[], owner: Place, facts: FileFacts, around: Surroundings): boolean {
  const [head = ""] = path;
  if (facts.declarations.isWritten(head, owner)) return true;
  // A function of the pack may write a URL into its argument.
  if (path.length > 1 && facts.declarations.isPassed(head, owner) && writesUrl(around.files())) return true;
  return looksAt(path).test(facts.text.slice(owner.start, owner.end));
}

/** Returns an expression that matches a test of the path's value. */
function looksAt(path: readonly string[]): RegExp {
  const escaped = path.map((step) => step.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const name = `(?<![\\w$])(?:${escaped.join("\\??\\.")}|${escaped.at(-1)})`;
  return new RegExp(
    `${name}(?:\\s*\\??\\.(?:startsWith|endsWith|includes|match|search|indexOf|charAt|at|slice|substr|substring|split)\\b|\\[|\\s*[!=]==?)|(?:\\.(?:test|exec|parse|canParse)|\\b(?:is|has)\\w*)\\(\\s*${name}(?![\\w$])`,
  );
}

/** Whether code in the files may write a URL into an object. */
export const writesUrl = (files: readonly FileFacts[]): boolean => files.some(({ text }) => WRITES_URL.test(text));

const WRITES_URL = /\.url\s*(?:\+|\?\?|\|\|)?=(?![=>])|\bObject\.assign\b/;

/** Returns the property of a caller's argument, or the whole argument if the path is empty. */
export function withinObject(value: Expression, path: readonly string[], resolve: Resolve): Expression | undefined {
  let current: Expression | undefined = value;
  for (const [depth, name] of path.entries()) {
    const object: Value = resolve(current);
    if (object.kind === "parameter") return { ...object, path: [...object.path, ...path.slice(depth)] };
    current = object.kind === "object" ? object.properties.findLast((property: Property) => property.name === name)?.value : undefined;
    if (current === undefined) return undefined;
  }
  return current;
}

/** Reads a value as the URL of a request. The result is one literal, since every request has one and most have a host. */
export function urlOf(value: Expression, pieces: readonly Piece[], asking: Asking = { guarded: false, chosen: false }): RequestUrl {
  const { text: leadingText, whole } = readBeginning(pieces);
  const host = hostOf(leadingText, whole);
  const { place } = value;
  const first = pieces[0];
  const beginning = first?.kind === "text" && !isWithin(first.place, place) ? first.place : place;
  const text = whole ? leadingText : textOf(pieces);
  const relative = isPath(leadingText);
  return host === undefined
    ? { place, beginning, pieces, leadingText, whole, text, relative, ...asking }
    : { place, beginning, pieces, leadingText, whole, text, host, relative, ...asking };
}

/** Returns the host of an absolute URL if its end is known, or if an unknown path follows it. */
export function hostOf(text: string, whole: boolean): string | undefined {
  const match = /^https?:\/\/(?:[^/?#@]*@)?([a-z0-9.-]+)(?::\d+)?([/?#]|$)/i.exec(text);
  if (match?.[1] === undefined) return undefined;
  const host = match[1].toLowerCase().replace(/\.$/, "");
  return match[2] !== "" || whole || isWholeHost(host) ? host : undefined;
}

/** Whether the unknown part of the URL may continue its host. */
export const isHostOpen = ({ leadingText, whole }: UrlText): boolean => !whole && !isPlaced(leadingText);
