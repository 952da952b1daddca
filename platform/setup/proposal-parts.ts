// Parts of proposals that several readers make.
import type { JsonValue, Origin, Proposal, ProposedField } from "../../protocol/setup.ts";
import { CONFIGURATION_FIELDS } from "../../spec/configuration-fields.ts";
import { choiceProblem, normaliseEndpoint } from "../network/endpoint.ts";
import { covers } from "../network/url-policy.ts";
import type { ReaderContext } from "./reader.ts";

type Domain = Proposal["domains"][number];

/** The field with its value and origin, or nothing if the value is undefined. */
export const field = (name: keyof typeof CONFIGURATION_FIELDS, value: JsonValue | undefined, origin: Origin): readonly ProposedField[] =>
  value === undefined ? [] : [{ name, value, origin }];

const ORDER = Object.keys(CONFIGURATION_FIELDS);

/** Returns the fields in the order of completions, in which people write them. */
export const inFieldOrder = (fields: readonly ProposedField[]): readonly ProposedField[] =>
  fields.toSorted((a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name));

/** Asks for the host that the pack's requests go to. Its answer may be a URL. */
export function askApiHost(context: ReaderContext, example: string): Domain {
  const answer = context.ask({
    id: "api-host",
    text: "Which host has the API that the pack calls? Its domain covers its subdomains.",
    example,
    problem: (value) => choiceProblem(value),
  });
  return { domain: new URL(normaliseEndpoint(answer)).hostname, origin: "your answer" };
}

/** Asks for a URL of the provider that the evidence does not have. */
export const askOAuthUrl = (name: "authorizationUrl" | "tokenUrl", context: ReaderContext): string =>
  context
    .ask({
      id: name,
      text: name === "tokenUrl" ? "At which URL does the provider issue tokens?" : "At which URL do people sign in and consent?",
      example: `https://auth.example.com/oauth/${name === "tokenUrl" ? "token" : "authorize"}`,
      problem: (answer) =>
        /^https:\/\/[^\s?#]+$/i.test(answer.trim()) && URL.canParse(answer.trim())
          ? undefined
          : "Enter a URL that begins with https:// and has no query.",
    })
    .trim();

/** Asks who has the client ID and secret of the client credentials grant. */
export function chooseClientScope(context: ReaderContext): Proposal["scope"] {
  const answer = context.choose({
    id: "client",
    text: "The client itself signs in. Whose client ID and client secret do requests use?",
    options: [
      { value: "system", label: "The pack's own", detail: "You enter them once, and all users share them." },
      { value: "user", label: "Each user's own", detail: "Each user enters a client ID and a client secret." },
    ],
  });
  return answer === "user" ? "user" : "system";
}

/** Asks for the service of AWS that a request calls. */
export const askAwsService = (context: ReaderContext): string =>
  context
    .ask({
      id: "aws-service",
      text: "Which service of AWS does the request call?",
      example: "execute-api",
      problem: (text) => (/^[\w-]{1,60}$/.test(text.trim()) ? undefined : "Enter the name of the service in a signature, such as s3."),
    })
    .trim();

/** Returns whether the pack may send a request to the URL with the credential. */
export const isCovered = (domains: readonly Domain[], url: string): boolean =>
  domains.some(({ domain }) => covers(domain, new URL(url).hostname));

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns words as a name of ASCII letters and digits in PascalCase, or undefined if they have no letter. */
export function pascalCase(words: string): string | undefined {
  const name = words
    .split(/[^a-z\d]+/i)
    .map(capitalise)
    .join("")
    .replace(/^\d+/, "")
    .slice(0, LONGEST_NAME);
  return name === "" ? undefined : name;
}

/** Characters of a name: the limit of the Packs SDK for formulas and MCP servers (sdk-facts-2, sections 6 and 10). */
const LONGEST_NAME = 50;
