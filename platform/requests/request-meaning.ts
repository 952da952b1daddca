// What a request asks an API to do. Many APIs take a GET for another method, or for an operation that a header or a parameter names.
import { decodeText } from "../../base/decode-text.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";

export interface RequestMeaning {
  readonly method: string;
  /** Every header and parameter that may decide what the API does, as `name: value`, in the order of the request. */
  readonly overrides: readonly string[];
  /** Whether the request changes nothing, by its method and by the worst of {@link overrides}. */
  readonly isRead: boolean;
}

/** Returns what a request asks for. Of several overrides an API may take any, so that the worst decides. */
export function meaningOf({ method, url, headers }: OutgoingRequest): RequestMeaning {
  const ofHeaders = Object.entries(headers).map(([name, value]) => ({ name, value, action: actionOfHeader(name, value) }));
  const ofUrl = parametersOf(url).map(([name, value]) => ({ name, value, action: actionOfParameter(name, value) }));
  const deciding = [...ofHeaders, ...ofUrl].filter(({ action }) => action !== undefined);
  return {
    method,
    overrides: deciding.map(({ name, value }) => `${name}: ${value}`),
    isRead: (method === "GET" || method === "HEAD") && deciding.every(({ action }) => action !== "acts"),
  };
}

/** What a header or a parameter does: it acts, it only names an operation, or it decides nothing. */
type Action = "acts" | "names" | undefined;

const READING = ["get", "head", "options"];
/** Values of LinkedIn's header that read (Rest.li protocol). */
const READING_OPERATIONS = [...READING, "getall", "batchget", "finder", "search"];
/** The methods of RFC 9110, of the registry of the IANA for WebDAV and its like, and those that only overrides use. */
const ACTING =
  /^(?:post|put|patch|delete|merge|update|create|insert|upsert|remove|partialupdate|batch(?:create|update|partialupdate|delete)|action|copy|move|link|unlink|lock|unlock|mkcol|mkcalendar|proppatch|acl|bind|unbind|rebind|purge|connect|destroy)$/;

/** Names are compared by their letters: servers read `X_HTTP_METHOD` as `X-HTTP-Method`, and `_method[]` as `_method`. */
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]+/g, "");

/** Headers that hold a method in place of the request's own, such as X-HTTP-Verb, X-RestLi-Method and X-Rewrite-Method. */
const OVERRIDING_HEADER =
  /^(?:x?(?:http|restli|original|rewrite|forwarded|tunnel(?:ed|led)?|real|override)*(?:method|verb)(?:override|overwrite)?)$/;
/** Headers whose operation is the whole request: SOAP 1.1, and the JSON protocol of AWS. */
const OPERATION_HEADER = /^(?:soapaction|xamztarget)$/;
const OPERATION = /^(?:soap)?(?:action|operation|operationname|command|cmd)$/;

function actionOfHeader(name: string, value: string): Action {
  const letters = lettersOf(name);
  if (OPERATION_HEADER.test(letters)) return "acts";
  if (OVERRIDING_HEADER.test(letters)) return wordsOf(value).every((word) => READING_OPERATIONS.includes(word)) ? "names" : "acts";
  return /method|verb/.test(letters) && wordsOf(value).some((word) => ACTING.test(word)) ? "acts" : undefined;
}

function actionOfParameter(name: string, value: string): Action {
  if (value.includes("{") && /\bmutation\b/i.test(value)) return "acts";
  const letters = lettersOf(name);
  if (!/method|verb/.test(letters) && !OPERATION.test(letters)) return undefined;
  return wordsOf(value).some((word) => ACTING.test(word)) ? "acts" : "names";
}

/** Some servers take a list of methods, and spell them in either case and with either sign between the words. */
const wordsOf = (value: string): readonly string[] =>
  value
    .toLowerCase()
    .split(/[\s,;|"']+/)
    .map((word) => word.replaceAll(/[_-]+/g, ""))
    .filter((word) => word !== "");

/** Returns the parameters of the query and those of the path (`;name=value`), whichever sign is between them. */
function parametersOf(url: string): readonly (readonly [name: string, value: string])[] {
  // A saved request may be relative to the account's endpoint.
  const { pathname, search } = new URL(url, "https://endpoint.invalid");
  const ofPath = decodeText(pathname)
    .split("/")
    .flatMap((segment) => segment.split(";").slice(1));
  const ofQuery = search.slice(1).split(/[&;?]/);
  return [...ofPath, ...ofQuery].map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [written(name), written(value.join("="))];
  });
}

const written = (text: string): string => decodeText(text.replaceAll("+", " "));
