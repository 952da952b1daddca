// The request of a cURL command, as curl would send it. Nothing is read from files.
import { closest } from "../../../base/closest.ts";
import { defined } from "../../../base/defined.ts";
import { unreadable } from "../unreadable.ts";
import { isOpaque } from "./names.ts";
import { type Effect, OPTIONS, type Option } from "./options.ts";
import { MARK } from "./words.ts";

/** The schemes of --user. */
export type UserScheme = "basic" | "any" | "digest" | "negotiate";

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** A field of a body. */
export interface Part {
  readonly name: string;
  readonly value: string;
}

export type Body =
  /** Anything but a form: JSON, XML, plain text. */
  | { readonly kind: "text"; readonly text: string }
  /** application/x-www-form-urlencoded. */
  | { readonly kind: "form"; readonly text: string }
  | { readonly kind: "multipart"; readonly parts: readonly Part[] };

export interface CurlCommand {
  readonly method: string;
  /** As it was written, with the query of -G and --url-query. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body?: Body;
  /** The argument of --user: `name:password`. */
  readonly user?: string;
  readonly scheme: UserScheme;
  /** The option that chooses a scheme other than Basic. */
  readonly schemeOption?: string;
  readonly bearer?: string;
  /** The argument of --aws-sigv4: `aws:amz:region:service`. */
  readonly aws?: string;
  /** The option that presents a certificate of the client. */
  readonly certificate?: string;
  readonly remarks: readonly string[];
}

/** What the options up to now amount to. */
interface Draft {
  method?: string;
  readonly urls: string[];
  readonly queries: string[];
  readonly headers: Header[];
  /** The arguments of the data options, in order. */
  readonly data: string[];
  readonly parts: Part[];
  readonly cookies: string[];
  readonly remarks: Set<string>;
  json: boolean;
  hasBody: boolean;
  get: boolean;
  head: boolean;
  upload: boolean;
  user?: string;
  scheme?: UserScheme;
  schemeOption?: string;
  bearer?: string;
  aws?: string;
  certificate?: string;
}

type Apply = (draft: Draft, value: string, option: Option) => void;

const ignore: Apply = () => {};
const fileRemark = (draft: Draft, { name }: Option, what: string): void => {
  draft.remarks.add(`The option ${name} reads ${what} from a file, which set-up does not read. Add it to the formula by hand.`);
};

const data =
  (readsFiles: boolean): Apply =>
  (draft, value, option) => {
    draft.hasBody = true;
    if (readsFiles && value.startsWith("@")) fileRemark(draft, option, "the body");
    else draft.data.push(value);
  };

const addHeader = (draft: Draft, name: string, value: string): void => {
  draft.headers.push({ name, value });
};

const APPLY: Readonly<Record<Effect, Apply>> = {
  method: (draft, value) => {
    if (!/^[A-Za-z]{1,20}$/.test(value))
      throw unreadable("The method after --request is not a word.", "Write the method there, such as --request POST.");
    draft.method = value.toUpperCase();
  },
  url: (draft, value) => {
    draft.urls.push(value);
  },
  query: (draft, value, option) => {
    if (value.startsWith("+")) draft.queries.push(value.slice(1));
    else encodedData(draft, value, option, draft.queries);
  },
  header: (draft, value, option) => {
    if (value.startsWith("@"))
      throw unreadable(`The option ${option.name} reads headers from a file, which set-up does not read.`, "Write the headers themselves.");
    const [, name = "", sign, rest = ""] = /^([^:;]*)([:;])?([\s\S]*)$/.exec(value) ?? [];
    const isName = /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name.trim());
    if (!isName || sign === undefined)
      throw unreadable(`The argument of ${option.name} is no header: it needs a name and a colon.`, "Write it as 'Name: value'.");
    // Without a value, curl leaves the header out that it would send by itself.
    addHeader(draft, name.trim(), rest.trim());
  },
  data: data(true),
  "raw data": data(false),
  "encoded data": (draft, value, option) => {
    draft.hasBody = true;
    encodedData(draft, value, option, draft.data);
  },
  json: (draft, value, option) => {
    draft.json = true;
    data(true)(draft, value, option);
  },
  form: (draft, value, option) => {
    draft.hasBody = true;
    const at = value.indexOf("=");
    if (at < 0) throw unreadable(`The argument of ${option.name} has no equals sign.`, "Write it as 'name=value'.");
    const name = value.slice(0, at);
    const content = value.slice(at + 1);
    if (/^[@<]/.test(content) && !isAnglePlaceholder(content)) fileRemark(draft, option, `the field ${shortName(name)}`);
    else draft.parts.push({ name, value: content.replace(/;(?:type|filename|encoder|headers)=.*$/s, "") });
  },
  "form text": (draft, value) => {
    draft.hasBody = true;
    const at = value.indexOf("=");
    draft.parts.push({ name: value.slice(0, Math.max(at, 0)), value: value.slice(at + 1) });
  },
  get: (draft) => {
    draft.get = true;
  },
  head: (draft) => {
    draft.head = true;
  },
  upload: (draft, _value, option) => {
    draft.upload = true;
    fileRemark(draft, option, "the body");
  },
  cookie: (draft, value, option) => {
    if (value.includes("=") || value.includes(MARK)) draft.cookies.push(value);
    else fileRemark(draft, option, "cookies");
  },
  user: (draft, value) => {
    draft.user = value;
  },
  bearer: (draft, value) => {
    draft.bearer = value;
  },
  aws: (draft, value) => {
    draft.aws = value;
  },
  basic: (draft) => {
    draft.scheme = "basic";
  },
  "any scheme": (draft) => {
    draft.scheme = "any";
  },
  digest: (draft, _value, option) => {
    draft.scheme = "digest";
    draft.schemeOption = option.name;
  },
  negotiate: (draft, _value, option) => {
    draft.scheme = "negotiate";
    draft.schemeOption = option.name;
  },
  "client certificate": (draft, _value, option) => {
    draft.certificate ??= option.name;
  },
  referer: ignore,
  "user agent": ignore,
  range: (draft, value) => {
    if (/^[\d,-]{1,100}$/.test(value)) addHeader(draft, "Range", `bytes=${value}`);
  },
  file: (draft, _value, option) => {
    if (option.name !== "--netrc-optional")
      throw unreadable(
        `The option ${option.name} reads the account or options from a file, which set-up does not read.`,
        "Write them into the command instead, such as --user name:password.",
      );
    draft.remarks.add(`The option ${option.name} may read an account from a file, which set-up does not read.`);
  },
  connection: (draft, _value, option) => {
    draft.remarks.add(
      `The option ${option.name} is left out: the platform connects to the host by its name, without a proxy, and checks its certificate.`,
    );
  },
  none: ignore,
  next: () => {
    throw unreadable(
      "The command has several requests, divided by --next.",
      "Paste the one whose request shows how the API authenticates.",
    );
  },
  "no request": (_draft, _value, option) => {
    throw unreadable(`The option ${option.name} is not for a request over HTTP.`, "Remove the option, or paste another command.");
  },
};

const isAnglePlaceholder = (text: string): boolean => /^<[\w .-]{1,80}>$/.test(text);

/** Returns a name of the evidence for a message. */
export const shortName = (name: string): string => (/^[\p{L}\p{N}_.[\]-]{1,60}$/u.test(name) ? name : "with a long name");

/** Applies `content`, `=content`, `name=content`, `@file` or `name@file`, of which the content is encoded. */
function encodedData(draft: Draft, value: string, option: Option, list: string[]): void {
  const at = value.indexOf("=");
  if (at < 0 && value.includes("@")) fileRemark(draft, option, "a value");
  else list.push(at > 0 ? `${value.slice(0, at)}=${encode(value.slice(at + 1))}` : encode(value.slice(at + 1)));
}

/** Percent-encodes all but the marks. */
const encode = (text: string): string =>
  text
    .split(MARK)
    .map((piece, index) => (index % 2 === 0 ? encodeURIComponent(piece.replaceAll(/\p{Cs}/gu, "\ufffd")) : piece))
    .join(MARK);

/** Reads the arguments of a command. */
export function readCommand(words: readonly string[]): CurlCommand {
  const draft: Draft = {
    urls: [],
    queries: [],
    headers: [],
    data: [],
    parts: [],
    cookies: [],
    remarks: new Set(),
    json: false,
    hasBody: false,
    get: false,
    head: false,
    upload: false,
  };
  let areOptionsOver = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const argument = (option: Option): string => {
      const next = words[++at];
      if (next === undefined)
        throw unreadable(`The command ends after ${option.name}, which needs an argument.`, "Copy the whole command, and paste it.");
      return next;
    };
    if (areOptionsOver || !word.startsWith("-") || word === "-") {
      // The empty word of a lost line break.
      if (word.trim() !== "") draft.urls.push(word);
    } else if (word === "--") areOptionsOver = true;
    else if (word.startsWith("--")) {
      const option = longOption(word);
      if (option !== undefined) APPLY[option.effect](draft, option.hasArgument ? argument(option) : "", option);
    } else
      for (let index = 1; index < word.length; index++) {
        const option = OPTIONS.get(`-${word.charAt(index)}`);
        if (option === undefined) throw unknownOption(`-${word.charAt(index)}`);
        if (option.hasArgument) {
          // The argument may follow at once: -XPOST.
          APPLY[option.effect](draft, word.slice(index + 1) || argument(option), option);
          break;
        }
        APPLY[option.effect](draft, "", option);
      }
  }
  return finish(draft);
}

/** Returns the option, or undefined for the negation of a switch, which changes nothing of the request. */
function longOption(word: string): Option | undefined {
  const option = OPTIONS.get(word);
  if (option !== undefined) return option;
  const negated = word.startsWith("--no-") ? OPTIONS.get(`--${word.slice("--no-".length)}`) : undefined;
  if (negated !== undefined && !negated.hasArgument) return undefined;
  const [name = "", value] = word.split("=");
  if (value !== undefined && OPTIONS.has(name))
    throw unreadable(`curl does not accept an equals sign after ${name}.`, `Write a space instead: ${name} '…'.`);
  throw unknownOption(name);
}

function unknownOption(name: string): Error {
  const shown = /^--?[\w.#:-]{1,40}$/.test(name) && !isOpaque(name) ? name : "of another form";
  const near = closest(
    name,
    [...OPTIONS.keys()].filter((key) => key.startsWith("--")),
  );
  return unreadable(
    `curl has no option ${shown} that set-up knows.`,
    near === undefined ? "Remove the option, or paste another command." : `Correct the option. Did you mean ${near}?`,
  );
}

function finish(draft: Draft): CurlCommand {
  const [url, second] = draft.urls;
  if (url === undefined) throw unreadable("The command has no URL.", "Copy the whole command, and paste it.");
  if (second !== undefined)
    throw unreadable(
      "The command has several URLs, or a space in it that is not inside quotes.",
      "Put the URL, and each header, inside quotes.",
    );
  const { method, headers, user, scheme = "basic", schemeOption, bearer, aws, certificate } = draft;
  const has = (name: string): boolean => headers.some((header) => header.name.toLowerCase() === name);
  if (draft.json && !has("content-type")) addHeader(draft, "Content-Type", "application/json");
  if (draft.json && !has("accept")) addHeader(draft, "Accept", "application/json");
  if (draft.cookies.length > 0) addHeader(draft, "Cookie", draft.cookies.join("; "));
  const isForm =
    !has("content-type") || headers.some(({ name, value }) => /^content-type$/i.test(name) && /x-www-form-urlencoded/i.test(value));
  const queries = [...draft.queries, ...(draft.get ? draft.data : [])];
  const text = draft.data.join(draft.json ? "" : "&");
  const hasText = !draft.get && !draft.head && draft.data.length > 0;
  if (hasText && isForm && !has("content-type")) addHeader(draft, "Content-Type", "application/x-www-form-urlencoded");
  const body: Body | undefined =
    draft.parts.length > 0 ? { kind: "multipart", parts: draft.parts } : hasText ? { kind: isForm ? "form" : "text", text } : undefined;
  return {
    method: method ?? (draft.head ? "HEAD" : draft.upload ? "PUT" : draft.hasBody && !draft.get ? "POST" : "GET"),
    url: withQueries(url, queries),
    headers: headers.filter(({ value }) => value !== ""),
    scheme,
    ...defined({ body, user, schemeOption, bearer, aws, certificate }),
    remarks: [...draft.remarks],
  };
}

function withQueries(url: string, queries: readonly string[]): string {
  if (queries.length === 0) return url;
  const [address = "", fragment] = url.split("#", 2);
  const joint = address.includes("?") ? (/[?&]$/.test(address) ? "" : "&") : "?";
  return `${address}${joint}${queries.join("&")}${fragment === undefined ? "" : `#${fragment}`}`;
}
