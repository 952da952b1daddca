// What a completion is, and where it is asked for: the pack, the cursor, and the object of a configuration around it.

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
  /** A snippet (see snippet.ts); its lines are indented as if the first stood at the left edge, and end with \n. */
  readonly snippet: string;
  /** What is replaced; it lies on one line and holds the cursor. */
  readonly span: Span;
  /** Edits elsewhere in the file that go with it. */
  readonly also?: readonly TextEdit[];
  /** What typed letters are compared with; the label by default. */
  readonly filter?: string;
  readonly detail?: string;
  readonly sort: string;
  /** Markdown; made when it is shown. */
  readonly docs: () => string;
}

/** An object of a configuration, and what is written in it. */
export interface ConfigPlace extends Omit<Site, "object"> {
  /** The names that are there, without the one under the cursor. */
  readonly present: readonly string[];
  /** The member whose value the cursor is in. */
  readonly property?: string;
  /** In an array of the member's value. */
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

/** What a setter or a definition is given to: `user`, `system`, or nothing of the kind. */
export function scopeOf(frame: Frame | undefined): AuthScope | undefined {
  const method = frame?.kind === "call" && frame.index === 0 ? frame.callee?.split(".").at(-1) : undefined;
  return method === "setUserAuthentication" ? "user" : method === "setSystemAuthentication" ? "system" : undefined;
}

/** The innermost object around the cursor with nothing but arrays in between. */
export function innermostObject(frames: readonly Frame[]): number {
  const at = frames.findLastIndex((frame) => frame.kind !== "array");
  return frames[at]?.kind === "object" ? at : -1;
}

/** The object that the frame of that index is; undefined where it is none of a configuration. */
export function configPlace(pack: PackModel, file: string, text: string, cursor: Cursor, at: number): ConfigPlace | undefined {
  const frame = cursor.frames[at];
  if (frame === undefined) return undefined;
  const configSite =
    [...sitesOf(pack), ...sourcesOf(pack)].find((site) => site.object.place.file === file && site.object.place.start === frame.start) ??
    guessed(pack, file, text, cursor.frames, at);
  if (configSite === undefined) return undefined;
  const word = text.slice((cursor.text?.content ?? cursor.word).start, (cursor.text?.content ?? cursor.word).end);
  const named = cursor.spot === "name" ? frame.members.indexOf(word) : -1;
  // A spread brings fields too, which no token shows.
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

/** The object itself is not known. */
type GuessedSite = Omit<Site, "object"> & { readonly object?: undefined };

/**
 * Where the source is too broken for the model, or nothing is given the configuration yet: the way to the object from the setter, or from a
 * name of the type, by brackets and names alone.
 */
function guessed(pack: PackModel, file: string, text: string, frames: readonly Frame[], at: number): GuessedSite | undefined {
  const call = frames.findLastIndex((frame, index) => index < at && frame.kind === "call");
  const config = frames[call + 1];
  const scope = config?.kind !== "object" ? undefined : (scopeOf(frames[call]) ?? typedScope(text.slice(0, config.start)));
  if (scope === undefined || config === undefined) return undefined;
  const auth = stub(file, text, config.start, scope);
  let place: GuessedSite = { auth, fields: configFields(pack, auth) };
  for (let index = call + 1; index < at; index++) {
    const frame = frames[index];
    if (frame?.kind === "array") continue;
    // A part that is spread in.
    if (frame?.kind === "object" && frame.property === undefined) continue;
    const within = frame?.kind === "object" ? place.fields.find(({ name }) => name === frame.property) : undefined;
    if (within?.fields === undefined) return undefined;
    place = { auth, fields: within.fields, within };
  }
  return place;
}

/** Of an object that a name of one of the toolkit's types is given: `const auth: coda.Authentication = {`. */
function typedScope(before: string): AuthScope | undefined {
  const [, type] = /:\s*(?:[\w$]+\.)?(\w*)Authentication(?:Def)?\s*=\s*$/.exec(before.slice(-LONGEST_TYPE)) ?? [];
  return type === undefined || type === "Admin" ? undefined : type === "System" ? "system" : "user";
}

const LONGEST_TYPE = 100;

/** A configuration of which nothing is known but its type's name. */
function stub(file: string, text: string, start: number, scope: AuthScope): AuthConfig {
  const type = /\btype\s*:\s*(?:[\w$.]*\.)?["'`]?(\w+)/.exec(text.slice(start, start + 2000))?.[1];
  const config = { ...emptyObject({ file, start, end: text.length }), open: true };
  return { scope, place: { file, start, end: start }, config, ...(type !== undefined && isAuthTypeName(type) ? { type } : {}) };
}

/** One in which nothing is written yet. */
export const emptyObject = (place: FileSpan): ObjectValue => ({
  kind: "object",
  place,
  properties: [],
  spreads: [],
  open: false,
  trailingComma: false,
});

/** What is replaced where a value is written: what is between the quotes, or the dotted name. */
export const valueSpan = ({ cursor, offset }: CompletionPlace): Span => {
  const { text, word } = cursor;
  if (text === undefined) return word;
  // A text over several lines is not replaced as a whole.
  return { start: text.content.start, end: Math.max(offset, text.content.end) };
};

/** A literal text at the place: its content where quotes stand already. */
export function literalCompletion(
  place: CompletionPlace,
  content: string,
  more: { readonly sort: string; readonly docs: () => string; readonly detail?: string; readonly filter?: string },
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

/** Only what a quote would end is escaped: the content is a snippet. */
function inQuotes(content: string, quote: string): string {
  return content.replaceAll(quote, `\\\\${quote}`);
}

/** The properties of the place's own configuration. */
export const hasField = (place: ConfigPlace, name: string): boolean =>
  place.present.includes(name) || propertyOf(place.auth.config, name) !== undefined;
