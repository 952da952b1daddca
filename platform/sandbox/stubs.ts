// Reads `sandbox.json` beside a pack, which defines the answers of the sandbox's API. Other requests are answered with an echo. Editors
// know the shape from schemas/sandbox.schema.json; a test keeps the two equal.

import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { dirname, join } from "node:path";
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser/lib/esm/main.js";
import { decodeText } from "../../base/decode-text.ts";
import { isRecord } from "../../base/is-record.ts";
import { DEEPEST_FILE, isTooDeepForFile } from "../../base/json-depth.ts";
import { isIn, openedFolder, realPath } from "../bundle/bundle-files.ts";
import { PackAuthError } from "../errors.ts";
import { LARGEST_SOURCE, readRegularFile } from "../files/regular-file.ts";

export interface Stub {
  /** Method (or `*`) and logical URL, such as `GET https://api.example.com/v1/tasks/*`. `*` matches any text. */
  readonly request: string;
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value, or a string that is sent as plain text. */
  readonly body?: unknown;
  /** False if the request is also answered without a credential. */
  readonly authenticate?: boolean;
  /** Scopes that an OAuth token needs, separated by spaces. */
  readonly scope?: string;
}

/** A tool of the pack's MCP server. */
export interface SandboxTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments; any object by default. */
  readonly inputSchema?: object;
  /** ToolAnnotations of MCP, such as `readOnlyHint`. */
  readonly annotations?: object;
  /** A string, a whole result with its `content`, or any other value as structured content; the arguments by default. */
  readonly answer?: unknown;
  /** Scopes that an OAuth token needs. */
  readonly scope?: string;
}

export interface SandboxStubs {
  readonly answers: readonly Stub[];
  readonly tools?: readonly SandboxTool[];
  /** The endpoint of a sandbox account, if the configuration needs one. */
  readonly endpoint?: string;
  /** Lifetime of access tokens in seconds; 3600 by default. */
  readonly tokenLifetime?: number;
}

/** Returns a description of what is wrong with the value, or undefined if it is valid. */
type Check = (value: unknown) => string | undefined;

const FILE: Readonly<Record<string, Check>> = {
  $schema: () => undefined,
  answers: (value) => (Array.isArray(value) ? undefined : "must be an array"),
  tools: (value) => (Array.isArray(value) ? undefined : "must be an array"),
  endpoint: (value) => (isHttpsUrl(value) ? undefined : `must be an https URL, such as "https://acme.example.com"`),
  tokenLifetime: (value) => (typeof value === "number" && value >= 1 && value <= 31_536_000 ? undefined : "must be a number of seconds"),
};

const STUB: Readonly<Record<string, Check>> = {
  request: requestProblem,
  status: (value) =>
    Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599 ? undefined : "must be a status from 200 to 599",
  headers: headersProblem,
  body: () => undefined,
  authenticate: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
  scope: scopeProblem,
};

const TOOL: Readonly<Record<string, Check>> = {
  name: (value) =>
    typeof value === "string" && /^\S{1,128}$/.test(value) ? undefined : `must be a name of at most 128 characters, such as "add_task"`,
  description: (value) => (typeof value === "string" ? undefined : "must be a string"),
  inputSchema: (value) => (isRecord(value) && value.type === "object" ? undefined : `must be a JSON Schema with "type": "object"`),
  annotations: annotationsProblem,
  answer: () => undefined,
  scope: scopeProblem,
};

/** Checks the ToolAnnotations of MCP: hints are booleans, and the title is a string. */
function annotationsProblem(value: unknown): string | undefined {
  const isRight = ([name, hint]: [string, unknown]): boolean =>
    name === "title" ? typeof hint === "string" : HINTS.includes(name) && typeof hint === "boolean";
  return isRecord(value) && Object.entries(value).every(isRight)
    ? undefined
    : `must be an object of true and false, with ${HINTS.join(", ")}. Its title is a string`;
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/** The arrays of the file, each with its items' required member and checks. */
const LISTS = [
  ["answers", "request", STUB],
  ["tools", "name", TOOL],
] as const;

/** Returns the path of a pack's sandbox.json, whether or not the file exists. */
export const stubsFilePath = (entry: string): string => join(dirname(entry), "sandbox.json");

/** Reads the file. Returns no answers if the file does not exist. Throws sandbox-failed with the problem and its location. */
export function readStubs(file: string | undefined): SandboxStubs {
  if (file === undefined || !existsSync(file)) return { answers: [] };
  refuseForeignLink(file);
  const text = readRegularFile(file, LARGEST_SOURCE);
  if (text === undefined)
    throw new PackAuthError("sandbox-failed", `${file} cannot be read: it must be a file of at most 4 MB that you may read.`);
  return parseStubs(text.replace(/^\uFEFF/, ""), file);
}

/**
 * Throws sandbox-failed for a link that leads out of the opened folder. Its target may belong to another project of the user, and could be
 * read or overwritten.
 */
export function refuseForeignLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  const [target, folder] = [realPath(file) ?? readlinkSync(file), openedFolder(file)];
  if (!isIn(target, folder))
    throw new PackAuthError("sandbox-failed", `${file} is a link to ${target}, which is outside of the folder ${folder}.`, {
      hint: "Put a copy of that file in the link's place.",
    });
}

/** Parses the text of a sandbox.json. `file` is the path that errors name. Throws sandbox-failed. */
export function parseStubs(text: string, file: string): SandboxStubs {
  const fail = (offset: number, problem: string): never => {
    const before = text.slice(0, offset).split("\n");
    const location = { path: file, line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    throw new PackAuthError("sandbox-failed", `${file}, line ${location.line + 1}: ${problem}.`, {
      location,
      hint: "Correct sandbox.json, and try again.",
    });
  };
  if (isTooDeepForFile(text)) return fail(0, `the file nests more than ${DEEPEST_FILE} levels deep`);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [error] = errors;
  if (error !== undefined) return fail(error.offset, `this is not valid JSON (${syntaxProblem(text, error)})`);
  if (root?.type !== "object") return fail(0, "the file must be an object");
  checkMembers(root, "", FILE, fail);
  for (const [list, required, checks] of LISTS)
    for (const [index, item] of (findNodeAtLocation(root, [list])?.children ?? []).entries()) {
      if (item.type !== "object") return fail(item.offset, `${list}[${index}] must be an object`);
      if (findNodeAtLocation(item, [required]) === undefined) return fail(item.offset, `${list}[${index}] has no ${required}`);
      checkMembers(item, `${list}[${index}].`, checks, fail);
    }
  const { $schema: _schema, ...value } = getNodeValue(root) as Partial<SandboxStubs> & { $schema?: unknown };
  return { ...value, answers: value.answers ?? [] };
}

function checkMembers(
  object: Node,
  place: string,
  checks: Readonly<Record<string, Check>>,
  fail: (offset: number, problem: string) => never,
) {
  for (const property of object.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const allowedNames = Object.keys(checks).filter((candidate) => !candidate.startsWith("$"));
      return fail(key.offset, `${place}${name} is unknown. Use ${allowedNames.join(", ")}`);
    }
    const problem = check(getNodeValue(value));
    if (problem !== undefined) return fail(value.offset, `${place}${name} ${problem}`);
  }
}

const REQUEST = /^([A-Z]+|\*) https:\/\/[^\s/?#]+([/?]\S*)?$/;

function requestProblem(value: unknown): string | undefined {
  if (typeof value === "string" && REQUEST.test(value)) return undefined;
  const [method = "", ...rest] = typeof value === "string" ? value.split(" ") : [];
  const upper = [method.toUpperCase(), ...rest].join(" ");
  return REQUEST.test(upper)
    ? `must have its method in capital letters: "${upper}"`
    : `must be a method and an https URL, such as "GET https://api.example.com/v1/tasks/*"`;
}

function headersProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return "must be an object of strings";
  for (const [name, content] of Object.entries(value)) {
    if (typeof content !== "string") return `must be an object of strings (${name} is not a string)`;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, content);
    } catch {
      return `has a header that HTTP does not allow: ${name}`;
    }
  }
  return undefined;
}

/** Checks a list of scopes as RFC 6749, section 3.3 defines them. */
function scopeProblem(value: unknown): string | undefined {
  const isScope = typeof value === "string" && /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(value);
  return isScope ? undefined : `must be a scope, or several with a space between them, such as "tasks:write"`;
}

function isHttpsUrl(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && new URL(value).protocol === "https:";
}

/**
 * Describes a syntax error. Comments and trailing commas, which other settings files allow, are named. Other codes are spelled out, such as
 * `comma expected` for `CommaExpected`.
 */
function syntaxProblem(text: string, { error, offset }: ParseError): string {
  const code = printParseErrorCode(error);
  if (code === "InvalidCommentToken") return "remove the comment";
  const next = text[offset];
  if ((next === "}" || next === "]") && text.slice(0, offset).trimEnd().endsWith(",")) return `remove the comma before ${next}`;
  return code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/**
 * Returns the most specific answer whose pattern matches, and the first of several that are alike. The pattern must match the whole path. Of
 * the query, only the parameters of the pattern must be present, in any order, since a credential may be among the others.
 */
export function findStub(stubs: readonly Stub[], method: string, url: URL): Stub | undefined {
  return stubs.reduce<{ readonly stub: Stub; readonly parts: Parts } | undefined>((best, stub) => {
    const parts = partsOf(stub);
    return fits(parts, method, url) && (best === undefined || isMoreSpecific(parts, best.parts)) ? { stub, parts } : best;
  }, undefined)?.stub;
}

/** The parts of a pattern. */
interface Parts {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

function partsOf({ request }: Stub): Parts {
  const [method = "", pattern = ""] = request.split(" ", 2);
  const [address = "", query] = pattern.split(/\?(.*)/s, 2);
  const [, host = "", path = ""] = /^https:\/\/([^/]+)(.*)$/s.exec(address) ?? [];
  return { method, host: host.toLowerCase(), path: decodeText(path || "/"), query: new URLSearchParams(query) };
}

const fits = ({ method, host, path, query }: Parts, requestMethod: string, url: URL): boolean =>
  (method === "*" || method === requestMethod) &&
  matches(host, url.host) &&
  matches(path, decodeText(url.pathname)) &&
  queryMatches(query, url);

/** Compares the characters of the address without wildcards, then the number of parameters, then their characters, then the method. */
function isMoreSpecific(one: Parts, other: Parts): boolean {
  const literal = (text: string): number => text.replaceAll("*", "").length;
  const ranks = ({ method, host, path, query }: Parts): readonly number[] => [
    literal(host + path),
    Number(!(host + path).includes("*")),
    query.size,
    literal([...query.values()].join("")),
    Number(method !== "*"),
  ];
  const otherRanks = ranks(other);
  const difference = ranks(one)
    .map((rank, index) => rank - (otherRanks[index] ?? 0))
    .find((rank) => rank !== 0);
  return difference !== undefined && difference > 0;
}

function queryMatches(pattern: URLSearchParams, url: URL): boolean {
  return [...pattern].every(([name, expectedValue]) => url.searchParams.getAll(name).some((value) => matches(expectedValue, value)));
}

/** `*` matches any text. The pieces are searched one after another, so that no pattern takes longer than pieces × text. */
function matches(pattern: string, text: string): boolean {
  const pieces = pattern.split("*");
  const first = pieces.shift() ?? "";
  const last = pieces.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of pieces) {
    const pieceStart = text.indexOf(piece, at);
    if (pieceStart < 0) return false;
    at = pieceStart + piece.length;
  }
  return at <= text.length - last.length;
}
