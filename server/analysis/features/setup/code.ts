// Source code for the values and requests of a proposal. Its texts come from evidence, so each becomes a literal that says the same, on one
// line. Lines are joined by a line feed and indented by two spaces; the writer lays them out like the file.
import { printable } from "../../../../base/printable.ts";
import type { JsonValue, ProposedRequest, TextWithSlots } from "../../../../protocol/setup.ts";

/** The names of a request's parameters in the source. */
export type ParameterNames = ReadonlyMap<string, string>;

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line.replaceAll("\n", "\n  ")}\n`).join("");

/** Longer values have several lines. */
const LONGEST_LINE = 80;

const bracketed = (open: string, items: readonly string[], close: string, blank: string): string => {
  if (items.length === 0) return `${open}${close}`;
  const line = `${open}${blank}${items.join(", ")}${blank}${close}`;
  return line.length <= LONGEST_LINE && !line.includes("\n") ? line : `${open}\n${indented(items.map((item) => `${item},`))}${close}`;
};

/** Returns a literal with double quotes. */
export const quoted = (text: string): string => printable(JSON.stringify(text));

/** Returns an object literal. Its members are source code. */
export const objectCode = (members: readonly (readonly [name: string, code: string])[]): string =>
  bracketed(
    "{",
    members.map(([name, code]) => `${keyCode(name)}: ${code}`),
    "}",
    " ",
  );

export const listCode = (items: readonly string[]): string => bracketed("[", items, "]", "");

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A plain `__proto__` would set the object's prototype. */
const keyCode = (name: string): string => (name === "__proto__" ? '["__proto__"]' : IDENTIFIER.test(name) ? name : quoted(name));

/** Returns a value. `write` may write a text in another way. */
export function valueCode(value: JsonValue, write: (text: string) => string = quoted): string {
  if (typeof value === "string") return write(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return listCode(value.map((item) => valueCode(item, write)));
  return objectCode(Object.entries(value).map(([name, member]) => [name, valueCode(member, write)]));
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** Returns the path of a member of `object`. If it is optional, the expression is undefined where a part of the path is missing. */
export const memberCode = (object: string, path: readonly string[], isOptional = false): string =>
  path.reduce(
    (code, name) =>
      `${code}${isOptional ? "?." : IDENTIFIER.test(name) ? "." : ""}${IDENTIFIER.test(name) ? name : `[${/^(?:0|[1-9]\d{0,8})$/.test(name) ? name : quoted(name)}]`}`,
    object,
  );

/** Returns a text with its slots: a literal, a parameter's name, or a template. */
export function textCode(text: TextWithSlots, names: ParameterNames, isEncoded = false): string {
  const [only, ...more] = text;
  if (typeof only === "object" && "parameter" in only && more.length === 0) return parameterCode(only.parameter, names, isEncoded);
  /** Literal texts and expressions in turn, beginning and ending with a text. */
  const pieces = [""];
  const append = (literal: string): void => void pieces.push(`${pieces.pop() ?? ""}${literal}`);
  for (const part of text) {
    if (typeof part === "string") append(part);
    else if ("credential" in part) {
      append(`{{${part.credential}-`);
      pieces.push("context.invocationToken", "}}");
    } else pieces.push("endpoint" in part ? "context.endpoint" : parameterCode(part.parameter, names, isEncoded), "");
  }
  if (pieces.length === 1) return quoted(pieces[0] ?? "");
  return `\`${pieces.map((piece, index) => (index % 2 === 1 ? `\${${piece}}` : inTemplate(piece))).join("")}\``;
}

function parameterCode(parameter: string, names: ParameterNames, isEncoded: boolean): string {
  const name = names.get(parameter) ?? parameter;
  return isEncoded ? `encodeURIComponent(${name})` : name;
}

/** Returns the text as a part of a template. */
const inTemplate = (text: string): string =>
  quoted(text)
    .slice(1, -1)
    .replace(/\\(.)/g, (whole, character: string) => (character === '"' ? character : whole))
    .replace(/`|\$\{/g, "\\$&");

/** The platform prepends the endpoint to a URL that begins with a slash. */
function urlCode(url: TextWithSlots, names: ParameterNames): string {
  const [first, next] = url;
  const isRelative = typeof first === "object" && "endpoint" in first && typeof next === "string" && next.startsWith("/");
  return textCode(isRelative ? url.slice(1) : url, names, true);
}

/** Returns the statement that sends a request and declares `response`. */
export function requestCode({ method, url, headers, body }: ProposedRequest, names: ParameterNames = new Map()): string {
  const sent = joinedHeaders(headers);
  const contentType = sent.find(({ name }) => name.toLowerCase() === "content-type")?.value.find((part) => typeof part === "string");
  const members: readonly (readonly [string, string])[] = [
    ["method", quoted(method)],
    ["url", urlCode(url, names)],
    ...(sent.length === 0
      ? []
      : [["headers", objectCode(sent.map(({ name, value }) => [name, textCode(value, names)] as const))] as const]),
    ...(body === undefined ? [] : [["body", bodyCode(body, names, /x-www-form-urlencoded/i.test(String(contentType)))] as const]),
  ];
  return `const response = await context.fetcher.fetch({\n${indented(members.map(([name, code]) => `${name}: ${code},`))}});`;
}

/** Joins headers of one name (RFC 9110, section 5.3): an object has each name once. */
function joinedHeaders(headers: ProposedRequest["headers"]): ProposedRequest["headers"] {
  const byName = new Map<string, ProposedRequest["headers"][number]>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    const former = byName.get(key);
    const separator = key === "cookie" ? "; " : ", ";
    byName.set(key, former === undefined ? { name, value } : { name: former.name, value: [...former.value, separator, ...value] });
  }
  return [...byName.values()];
}

/** Characters of the private use area stand for the slots of a body while it is parsed. */
const [OPEN, CLOSE] = ["\ue000", "\ue001"];
const MARKED = new RegExp(`${OPEN}(\\d+)${CLOSE}`);

/** Returns a JSON body as an object that is made a text, and any other body as a text. */
function bodyCode(body: TextWithSlots, names: ParameterNames, isForm: boolean): string {
  const marked = body.map((part, index) => (typeof part === "string" ? part : `${OPEN}${index}${CLOSE}`)).join("");
  const json = body.some((part) => typeof part === "string" && (part.includes(OPEN) || part.includes(CLOSE))) ? undefined : parsed(marked);
  if (json === undefined) return textCode(body, names, isForm);
  const write = (text: string): string =>
    textCode(
      text.split(MARKED).flatMap((part, index) => (index % 2 === 1 ? (body[Number(part)] ?? []) : part === "" ? [] : part)),
      names,
    );
  return `JSON.stringify(${valueCode(json, write)})`;
}

/** Returns an object or a list whose JSON has the same meaning as the text, to every number and the order of members. */
function parsed(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    const compact = text.replace(/"(?:[^"\\]|\\.)*"?|\s+/g, (token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : ""));
    const isSame = typeof value === "object" && value !== null && JSON.stringify(value) === compact;
    return isSame && !hasMarkedName(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const hasMarkedName = (value: JsonValue): boolean =>
  typeof value === "object" &&
  value !== null &&
  (isList(value) ? value.some(hasMarkedName) : Object.entries(value).some(([name, member]) => MARKED.test(name) || hasMarkedName(member)));

/** Returns a member of an object literal whose value is a function. */
export const functionMember = (name: string, parameters: string, statements: readonly string[]): string =>
  `${name}: async function (${parameters}) {\n${indented(statements)}},`;

/** Returns a call whose argument is an object literal with these members, which end with their commas. */
export const callCode = (callee: string, members: readonly string[]): string => `${callee}(${braced(members)})`;

export const braced = (members: readonly string[]): string => `{\n${indented(members)}}`;
