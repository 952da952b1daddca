// A completion, and the place at which it is requested: the pack, the cursor, and the surrounding object of a configuration.

import { type AuthScope, isAuthTypeName } from "../../../../spec/auth-types.ts";
import { propertyOf } from "../../configuration/config.ts";
import { configFields, type Site, sitesOf, sourcesOf } from "../../configuration/configuration-objects.ts";
import type { TextEdit } from "../../model/findings.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";
import type { FileSpan, ObjectValue, Span } from "../../model/values.ts";
import { type Cursor, cursorAt, type Frame } from "../cursor.ts";
import { withoutStops } from "./snippet.ts";

export interface Completion {
  readonly label: string;
  readonly kind: "field" | "enumMember" | "value" | "function" | "configuration";
  /** A snippet (see snippet.ts). Its lines are indented as if the first had no indentation, and end with \n. */
  readonly snippet: string;
  /** The replaced range. It is on one line and contains the cursor. */
  readonly span: Span;
  /** Additional edits elsewhere in the file. */
  readonly also?: readonly TextEdit[];
  /** The text that the typed letters are matched with; the label by default. */
  readonly filter?: string;
  readonly detail?: string;
  readonly sort: string;
  /** Returns Markdown; called when the completion is shown. */
  readonly docs: () => string;
}

/** An object of a configuration, and the members that it has. */
export interface ConfigPlace extends Omit<Site, "object"> {
  /** The names of the existing members, without the one under the cursor. */
  readonly present: readonly string[];
  /** The member whose value contains the cursor. */
  readonly property?: string;
  /** Whether the cursor is in an array inside the member's value. */
  readonly inArray: boolean;
}

export interface CompletionPlace {
  readonly pack: PackModel;
  readonly file: string;
  readonly text: string;
  readonly offset: number;
  readonly cursor: Cursor;
  readonly config?: ConfigPlace;
}

export function placeAt(pack: PackModel, file: string, offset: number): CompletionPlace {
  const text = pack.text(file);
  const cursor = cursorAt(text, offset);
  const config = configPlace(pack, file, text, cursor, innermostObject(cursor.frames));
  return { pack, file, text, offset, cursor, ...(config === undefined ? {} : { config }) };
}

/** Returns the scope of a setter's call, or undefined if the frame is another call. */
export function scopeOf(frame: Frame | undefined): AuthScope | undefined {
  const method = frame?.kind === "call" && frame.index === 0 ? frame.callee?.split(".").at(-1) : undefined;
  return method === "setUserAuthentication" ? "user" : method === "setSystemAuthentication" ? "system" : undefined;
}

/** Returns the index of the innermost object around the cursor, if only arrays lie between them; -1 otherwise. */
export function innermostObject(frames: readonly Frame[]): number {
  const at = frames.findLastIndex((frame) => frame.kind !== "array");
  return frames[at]?.kind === "object" ? at : -1;
}

/** Returns the configuration's object at the index of the frames, or undefined if the frame is not part of a configuration. */
export function configPlace(pack: PackModel, file: string, text: string, cursor: Cursor, at: number): ConfigPlace | undefined {
  const frame = cursor.frames[at];
  if (frame === undefined) return undefined;
  const configSite =
    [...sitesOf(pack), ...sourcesOf(pack)].find((site) => site.object.place.file === file && site.object.place.start === frame.start) ??
    guessed(pack, file, text, cursor.frames, at);
  if (configSite === undefined) return undefined;
  const word = text.slice((cursor.text?.content ?? cursor.word).start, (cursor.text?.content ?? cursor.word).end);
  const named = cursor.spot === "name" ? frame.members.indexOf(word) : -1;
  // A spread adds fields that the tokens do not show.
  const whole =
    configSite.within === undefined
      ? [...(configSite.object?.properties ?? []), ...configSite.auth.config.properties]
      : (configSite.object?.properties ?? []);
  const spread = whole.map(({ name }) => name).filter((name) => name !== word);
  return {
    auth: configSite.auth,
    fields: configSite.fields,
    ...(configSite.within === undefined ? {} : { within: configSite.within }),
    present: [...frame.members.filter((_, index) => index !== named), ...spread],
    ...(cursor.spot !== "value" || frame.property === undefined ? {} : { property: frame.property }),
    inArray: at < cursor.frames.length - 1,
  };
}

/** A site whose object is unknown. */
type GuessedSite = Omit<Site, "object"> & { readonly object: undefined };

/**
 * Finds the object by brackets and names alone, from the setter or from a type's name. This works if the source is too broken for the
 * model, or if the configuration is not yet passed to a setter.
 */
function guessed(pack: PackModel, file: string, text: string, frames: readonly Frame[], at: number): GuessedSite | undefined {
  const call = frames.findLastIndex((frame, index) => index < at && frame.kind === "call");
  const config = frames[call + 1];
  const scope = config?.kind !== "object" ? undefined : (scopeOf(frames[call]) ?? typedScope(text.slice(0, config.start)));
  if (scope === undefined || config === undefined) return undefined;
  const auth = stub(file, text, config.start, scope);
  let place: GuessedSite = { auth, object: undefined, fields: configFields(pack, auth) };
  for (let index = call + 1; index < at; index++) {
    const frame = frames[index];
    if (frame?.kind === "array") continue;
    // This object is spread into the one around it.
    if (frame?.kind === "object" && frame.property === undefined) continue;
    const within = frame?.kind === "object" ? place.fields.find(({ name }) => name === frame.property) : undefined;
    if (within?.fields === undefined) return undefined;
    place = { auth, object: undefined, fields: within.fields, within };
  }
  return place;
}

/** Returns the scope of an object whose variable has a type of the Packs SDK: `const auth: coda.Authentication = {`. */
function typedScope(before: string): AuthScope | undefined {
  const [, type] = /:\s*(?:[\w$]+\.)?(\w*)Authentication(?:Def)?\s*=\s*$/.exec(before.slice(-LONGEST_TYPE)) ?? [];
  return type === undefined || type === "Admin" ? undefined : type === "System" ? "system" : "user";
}

const LONGEST_TYPE = 100;

/** Returns a configuration that contains only the name of its type. */
function stub(file: string, text: string, start: number, scope: AuthScope): AuthConfig {
  const type = /\btype\s*:\s*(?:[\w$.]*\.)?["'`]?(\w+)/.exec(text.slice(start, start + 2000))?.[1];
  const config = { ...emptyObject({ file, start, end: text.length }), open: true };
  return {
    scope,
    isAdmin: false,
    place: { file, start, end: start },
    config,
    ...(type !== undefined && isAuthTypeName(type) ? { type } : {}),
  };
}

/** Returns an object value without members. */
export const emptyObject = (place: FileSpan): ObjectValue => ({
  kind: "object",
  place,
  properties: [],
  spreads: [],
  open: false,
  trailingComma: false,
});

/** Returns the range that a value replaces: the text between the quotes, or the dotted name. */
export const valueSpan = ({ cursor, offset }: CompletionPlace): Span => {
  const { text, word } = cursor;
  if (text === undefined) return word;
  // The content is on one line, because completionsIn skips strings over several lines.
  return { start: text.content.start, end: Math.max(offset, text.content.end) };
};

/** Completes a string literal, or only its content if the quotes exist. */
export function literalCompletion(
  place: CompletionPlace,
  content: string,
  more: Pick<Completion, "sort" | "docs" | "detail" | "filter">,
): Completion {
  const { text } = place.cursor;
  const inner = text === undefined ? undefined : inQuotes(content, text.quote) + (text.isClosed ? "" : text.quote);
  return {
    label: withoutStops(content),
    kind: "value",
    snippet: inner ?? `"${content}"`,
    span: valueSpan(place),
    ...more,
    ...(inner === undefined ? { filter: `"${more.filter ?? content}` } : {}),
  };
}

/** Escapes the quote only, because the content is already a snippet. */
function inQuotes(content: string, quote: string): string {
  return content.replaceAll(quote, `\\\\${quote}`);
}

/** Returns whether the object or its configuration has the field. */
export const hasField = (place: ConfigPlace, name: string): boolean =>
  place.present.includes(name) || propertyOf(place.auth.config, name) !== undefined;
