// The client of the platform's public API. The paths and bodies are those of the Packs SDK's own client.
// Invariant: the token goes to its origin only, over https, and is in no message, log or result.

import { isTooDeepForFile } from "../../base/json-depth.ts";
import { Misshapen, type Shape } from "../../base/shape.ts";
import { readBody } from "../bodies/response-body.ts";
import { networkProblem } from "../diagnosis/network-words.ts";
import { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { abortable, withinTime } from "../network/abortable.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import { completed, diffs, logPage, nextVersion, oauthConfig, refusal, uploadTarget, versionPage } from "./answers.ts";
import { apiOrigin, hostOf } from "./api-origin.ts";
import type { ApiValidationError, LogQuery, LogSource, PublicApi } from "./public-api.ts";

interface PublicApiOptions {
  /** Such as `https://coda.io`. */
  readonly origin: string;
  readonly token: string;
  /** The host's own fetch. A test passes one that trusts its stand-in, so that no other switch is needed (test/support/public-api.ts). */
  readonly fetch: Fetch;
  /** Milliseconds for one request; 30,000 by default. */
  readonly timeout?: number;
}

const DEADLINE = 30_000;
/** Bytes of an answer. */
const LARGEST = 10 * 1024 * 1024;
/** Characters of the API's own words in a message, and validation errors in it. */
const LONGEST_QUOTATION = 300;
const MOST_QUOTED = 5;
/** Pages of one list. A list without an end would be read for ever. */
const MOST_PAGES = 10_000;

/** Throws api-host-unapproved or api-token-refused if the origin or the token is none. */
export function openPublicApi(options: PublicApiOptions): PublicApi {
  const origin = apiOrigin(options.origin, "The API's address");
  // A line break would start another header, and fetch would quote the token in its error.
  if (!/^[\x21-\x7e]+$/.test(options.token))
    throw new PackAuthError("api-token-refused", `The API token for ${hostOf(origin)} contains a character that no token has.`, {
      nextStep: NEW_TOKEN,
    });
  const client = new Client(origin, options);
  return {
    origin,
    oauthConfig: (packId, signal) => client.call(ofPack(packId), ["packs", packId, "oauthConfig"], oauthConfig, { signal }),
    setOauthConfig: (packId, { clientId, clientSecret }, signal) =>
      client.call(ofPack(packId), ["packs", packId, "oauthConfig"], oauthConfig, {
        method: "PUT",
        body: { clientId, clientSecret },
        signal,
      }),
    async *versions(packId, signal) {
      const path = ["packs", packId, "versions"];
      const pageTokens = new Set<string | undefined>();
      let pageToken: string | undefined;
      do {
        pageTokens.add(pageToken);
        const page = await client.call(ofPack(packId), path, versionPage, { query: { pageToken }, signal });
        // The list has no filter, so an empty page is its end, whatever page it names as the next.
        if (page.items.length === 0) return;
        yield* page.items;
        pageToken = page.nextPageToken;
        if (pageTokens.size > MOST_PAGES) throw tooManyVersions(packId);
      } while (pageToken !== undefined && !pageTokens.has(pageToken));
    },
    nextVersion: (packId, metadata, toolkitVersion, signal) =>
      client.call(ofPack(packId), ["packs", packId, "nextVersion"], nextVersion, {
        method: "POST",
        body: { proposedMetadata: metadata, sdkVersion: toolkitVersion },
        signal,
      }),
    versionDiffs: (packId, base, target, signal) =>
      client.call(ofPack(packId, base, target), ["packs", packId, "versions", base, "diff", target], diffs, { signal }),
    registerVersion: (packId, version, bundleHash, signal) =>
      client.call(ofPack(packId, version), ["packs", packId, "versions", version, "register"], uploadTarget, {
        method: "POST",
        body: { bundleHash },
        signal,
      }),
    completeUpload: (packId, version, { notes, allowOlderSdkVersion }, signal) =>
      client.call(ofPack(packId, version), ["packs", packId, "versions", version, "uploadComplete"], completed, {
        method: "POST",
        body: { notes, source: "cli", allowOlderSdkVersion },
        signal,
      }),
    logs: (source, query, signal) => client.call(ofLogs(source), logPath(source), logPage, { query: logParameters(query), signal }),
  };
}

/** What a request is about, for messages. */
interface Subject {
  readonly name: string;
  /** What to check if the API knows no such thing. */
  readonly check: string;
}

const ofPack = (packId: number, ...versions: readonly string[]): Subject => ({
  name: versions.length === 0 ? `pack ${packId}` : `pack ${packId}, version ${versions.join(" or ")}`,
  check: "Check the pack ID in .coda-pack.json, and that the token belongs to a maker of this pack.",
});

const ofLogs = (source: LogSource): Subject =>
  source.kind === "doc"
    ? {
        name: `pack ${source.packId} in the doc ${source.docId}`,
        check: "Check the doc's address, that it uses the pack, and that the token's owner can open it.",
      }
    : {
        name: `the agent ${source.agentInstanceId} of ${source.tenantId}`,
        check: "Check the IDs, and that the token's owner can open the agent.",
      };

const logPath = (source: LogSource): readonly (string | number)[] =>
  source.kind === "doc"
    ? ["packs", source.packId, "docs", source.docId, "logs"]
    : ["go", "tenants", source.tenantId, "agentInstances", source.agentInstanceId, "logs"];

/** A page token stands for the whole query, as in the Packs SDK's client. */
const logParameters = ({ types, text, before, after, limit, pageToken }: LogQuery): Query =>
  pageToken !== undefined
    ? { pageToken }
    : { logTypes: types?.join(","), q: text, beforeTimestamp: before, afterTimestamp: after, limit: limit?.toString() };

type Query = Readonly<Record<string, string | undefined>>;

interface CallOptions {
  readonly method?: "GET" | "POST" | "PUT";
  readonly query?: Query;
  readonly body?: object;
  readonly signal: AbortSignal | undefined;
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

class Client {
  readonly #origin: string;
  readonly #host: string;
  readonly #options: PublicApiOptions;
  readonly #redactor: Redactor;

  constructor(origin: string, options: PublicApiOptions) {
    this.#origin = origin;
    this.#host = hostOf(origin);
    this.#options = options;
    this.#redactor = createRedactor([options.token]);
  }

  async call<T>(subject: Subject, path: readonly (string | number)[], shape: Shape<T>, options: CallOptions): Promise<T> {
    const answer = await this.#send(subject, path, options);
    if (answer.status < 200 || answer.status >= 300) throw this.#refused(answer, subject, options.method === undefined);
    try {
      return shape(this.#json(answer.text));
    } catch (error) {
      if (!(error instanceof Misshapen)) throw error;
      throw new PackAuthError("api-failed", `${this.#host} answers for ${subject.name} with something else than its API declares.`, {
        hint: "Try again later. If it stays so, update Pack Auth: the API may have changed.",
      });
    }
  }

  async #send(
    subject: Subject,
    path: readonly (string | number)[],
    { method = "GET", query = {}, body, signal }: CallOptions,
  ): Promise<Answer> {
    // The parser of URLs would leave out such a segment, and the request would be another one.
    if (path.some((segment) => /^\.{0,2}$/.test(String(segment)))) throw this.#notFound(subject);
    const url = new URL(`${this.#origin}/apis/v1/${path.map((segment) => encodeURIComponent(String(segment).toWellFormed())).join("/")}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const { fetch, token, timeout = DEADLINE } = this.#options;
    const within = withinTime(timeout, signal);
    try {
      const pending = fetch(url.href, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json",
          "user-agent": "pack-auth",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: "manual",
        credentials: "omit",
        signal: within,
      });
      const response = await abortable(pending, within);
      const bytes = await abortable(
        readBody(response, LARGEST, () => this.#tooLarge(subject)),
        within,
      );
      return { status: response.status, retryAfter: response.headers.get("retry-after"), text: Buffer.from(bytes).toString("utf8") };
    } catch (error) {
      if (error instanceof PackAuthError) throw error;
      signal?.throwIfAborted();
      const { sentence, nextStep } = networkProblem(within.aborted ? within.reason : error, this.#host);
      throw new PackAuthError("api-failed", this.#redactor.redact(sentence), {
        nextStep,
        hint: `Check the network, and try again.${method === "GET" ? "" : ` It is unknown whether ${this.#host} did it.`}`,
      });
    }
  }

  /** Throws Misshapen if the text is not JSON. */
  #json(text: string): unknown {
    try {
      if (!isTooDeepForFile(text)) return this.#redactor.redactValue(JSON.parse(text));
    } catch {
      // The text is not JSON.
    }
    throw new Misshapen();
  }

  #refused({ status, retryAfter, text }: Answer, subject: Subject, isReading: boolean): PackAuthError {
    const host = this.#host;
    const { words, validationErrors } = this.#readRefusal(text);
    const reason = words === "" ? "." : `: ${words}`;
    if (status === 401) return new PackAuthError("api-token-refused", `${host} refuses the API token${reason}`, { nextStep: NEW_TOKEN });
    if (status === 403)
      return new PackAuthError(
        "api-forbidden",
        `${host} does not let this API token ${isReading ? "read" : "change"} ${subject.name}${reason}`,
        { hint: "Have an owner of the pack give you access in its Share menu, or add the token of a person who has it." },
      );
    if (status === 404) return this.#notFound(subject, reason);
    if (status === 429)
      return new PackAuthError("api-limited", `${host} limits the requests of this API token.`, {
        hint: `Try again ${waitText(retryAfter, Date.now())}.`,
      });
    if (status === 400 && validationErrors.length > 0)
      return new PackAuthError("upload-rejected", `${host} rejects ${subject.name}: ${quoted(validationErrors)}`, {
        hint: "Correct the pack, and upload it again.",
        validationErrors,
      });
    if (status === 0 || (status >= 300 && status < 400))
      return new PackAuthError("api-failed", `${host} answers for ${subject.name} with a redirect, which was not followed.`, {
        hint: "A redirect would carry the API token elsewhere. Check options.apiEndpoint in .coda-pack.json.",
      });
    return new PackAuthError("api-failed", `${host} answers for ${subject.name} with ${status}${reason}`, {
      hint:
        status >= 500 ? "The platform has a problem. Try again later." : "Correct what it names. If nothing is wrong, update Pack Auth.",
    });
  }

  #readRefusal(text: string): { readonly words: string; readonly validationErrors: readonly ApiValidationError[] } {
    try {
      const { message, statusMessage, validationErrors = [] } = refusal(this.#json(text));
      return { words: sentence((message ?? statusMessage ?? "").slice(0, LONGEST_QUOTATION)), validationErrors };
    } catch {
      return { words: "", validationErrors: [] };
    }
  }

  #notFound(subject: Subject, reason = "."): PackAuthError {
    return new PackAuthError("api-not-found", `${this.#host} knows no ${subject.name} for this API token${reason}`, {
      hint: subject.check,
    });
  }

  #tooLarge(subject: Subject): PackAuthError {
    return new PackAuthError("api-failed", `The answer of ${this.#host} for ${subject.name} is larger than 10 MB; it was not read.`, {
      hint: "Ask for less, such as a shorter time.",
    });
  }
}

const tooManyVersions = (packId: number): PackAuthError =>
  new PackAuthError(
    "api-failed",
    `The platform lists more than ${MOST_PAGES} pages of versions of pack ${packId}; the rest was not read.`,
    { hint: "Try again later. If it stays so, open the pack's page, and look at its versions there." },
  );

const NEW_TOKEN = { do: "replaceApiToken" } as const;

const sentence = (words: string): string => {
  const text = words.trim().replaceAll(/\s+/g, " ");
  return text === "" || /[.!?…]$/.test(text) ? text : `${text}.`;
};

/** Returns the first validation errors as sentences. */
export function quoted(errors: readonly ApiValidationError[]): string {
  const texts = errors
    .slice(0, MOST_QUOTED)
    .map(({ path, message }) => sentence(`${path ? `${path}: ` : ""}${message}`.slice(0, LONGEST_QUOTATION)));
  const rest = errors.length - texts.length;
  return `${texts.join(" ")}${rest > 0 ? ` There are ${rest} more.` : ""}`;
}

/** Returns when to try again, from Retry-After in seconds or as a date (RFC 9110, section 10.2.3). */
function waitText(retryAfter: string | null, now: number): string {
  const value = retryAfter?.trim() ?? "";
  const seconds = /^\d{1,6}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000);
  if (!(seconds > 0)) return "in a minute";
  return seconds < 120 ? `in ${seconds} seconds` : `in ${Math.ceil(seconds / 60)} minutes`;
}
