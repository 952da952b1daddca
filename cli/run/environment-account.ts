// An account from environment variables, for continuous integration, such as PACK_AUTH_TOKEN. The pack's authentication type decides which
// variables apply. With --account LABEL the names contain the label (PACK_AUTH_ALICE_TOKEN), for system authentication SYSTEM.
// Invariant: its credentials go to the domains that PACK_AUTH_DOMAINS names and to no others, whatever the pack declares.

import { defined } from "../../base/defined.ts";
import { checkedValue } from "../../platform/accounts/pasted-value.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { normaliseEndpoint } from "../../platform/network/endpoint.ts";
import { covers } from "../../platform/network/url-policy.ts";
import type { Credential } from "../../platform/secrets/credential.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { AUTH_TYPES, flowKindOf, hasSignIn } from "../../spec/auth-types.ts";

interface EnvironmentAccount {
  readonly account?: RunAccount;
  /** The variables that contain the credential. */
  readonly variables: readonly string[];
  /** The variables that a complete account lacks. */
  readonly missingVariables: readonly string[];
  /** The missing variables of an account for which other variables are set. */
  readonly incomplete: readonly string[];
}

/** Converts a text to letters, digits and underscores, as shells require. */
const shellName = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

/**
 * Returns the user's account if its variables are set, else the system's account.
 * Throws account-required if only the endpoint is missing, or if the variables belong to another type of authentication. Throws
 * endpoint-invalid if the pack cannot reach the endpoint. Throws credentials-missing if a value is not a possible credential. Throws
 * request-refused if the account would go to a domain that PACK_AUTH_DOMAINS does not name.
 */
export function accountFromEnvironment(definition: PackDefinition, label: string | undefined, env: NodeJS.ProcessEnv): EnvironmentAccount {
  const name = label === undefined ? "" : `${shellName(label)}_`;
  const missingVariables: string[] = [];
  const incomplete: string[] = [];
  let ofOtherType: PackAuthError | undefined;
  for (const [scope, auth, prefix] of [
    ["user", definition.userAuthentication, `PACK_AUTH_${name}`],
    ["system", definition.systemAuthentication, `PACK_AUTH_SYSTEM_${name}`],
  ] as const) {
    if (auth === undefined || !hasSignIn(auth.type)) continue;
    const variables = variablesOf(auth);
    const own = variables.required.map((variable) => prefix + variable);
    const required = auth.requiresEndpointUrl === true ? [...own, `${prefix}ENDPOINT`] : own;
    const missing = required.filter((variable) => !env[variable]);
    if (own.some((variable) => !env[variable])) {
      const foreign = CREDENTIAL_VARIABLES.filter((variable) => !variables.required.includes(variable) && env[prefix + variable]);
      if (missing.length < required.length) incomplete.push(...missing);
      else if (foreign.length > 0) ofOtherType ??= otherType(auth.type, inWords(foreign.map((variable) => prefix + variable)), own);
      missingVariables.push(
        ...missing,
        ...(env.PACK_AUTH_DOMAINS || missingVariables.includes("PACK_AUTH_DOMAINS") ? [] : ["PACK_AUTH_DOMAINS"]),
      );
      continue;
    }
    if (missing.length > 0) throw incompleteAccount(missing);
    const endpointText = env[`${prefix}ENDPOINT`];
    const endpoint = endpointText ? normaliseEndpoint(endpointText) : undefined;
    if (endpoint !== undefined) refuseForeign(`${prefix}ENDPOINT`, endpoint, definition, auth);
    refuseUnnamed(destinationsOf(auth, endpoint), env.PACK_AUTH_DOMAINS);
    const credential = variables.read((variable, isPassword) => checkedValue(env[prefix + variable] ?? "", prefix + variable, isPassword));
    return { missingVariables, incomplete, variables: own, account: { scope, credential, ...defined({ endpoint }) } };
  }
  if (ofOtherType !== undefined && incomplete.length === 0) throw ofOtherType;
  return { missingVariables, incomplete, variables: [] };
}

export const incompleteAccount = (missing: readonly string[]): PackAuthError =>
  new PackAuthError(
    "account-required",
    `The account of the environment is not complete: ${inWords(missing)} ${missing.length === 1 ? "is" : "are"} missing.`,
    {
      hint: `Set ${inWords(missing)}; see pack-auth run --help.`,
    },
  );

/** Refuses the run: somebody who set a credential for the run did not choose an account that is stored on this machine. */
const otherType = (type: string, variables: string, own: readonly string[]): PackAuthError =>
  new PackAuthError("account-required", `The pack's authentication is ${type}, which does not read ${variables}; nothing was run.`, {
    hint: `Set ${inWords(own)} instead, or unset ${variables} to use an account of pack-auth connect.`,
  });

/** Joins names as `A, B and C`. */
export const inWords = (names: readonly string[]): string => names.join(", ").replace(/, ([^,]*)$/, " and $1");

/**
 * Returns the hosts that the credentials would go to: only the endpoint's host if there is an endpoint (url-policy.ts). Nothing is sent to
 * text that is not a host.
 */
function destinationsOf({ credentialDomains = [] }: AuthenticationDefinition, endpoint: string | undefined): readonly string[] {
  const hosts = endpoint !== undefined ? [new URL(endpoint).hostname] : credentialDomains;
  return hosts.map((host) => host.toLowerCase()).filter(isHost);
}

/** Throws endpoint-invalid if the pack cannot reach the endpoint. The check runs first, because setting other variables would not help. */
function refuseForeign(
  variable: string,
  endpoint: string,
  { networkDomains }: PackDefinition,
  { endpointDomain }: AuthenticationDefinition,
): void {
  if (!URL.canParse(endpoint))
    throw new PackAuthError("endpoint-invalid", `${variable} is not a URL.`, {
      hint: "Set it to a URL such as https://my-site.example.com.",
    });
  const host = new URL(endpoint).hostname;
  for (const domains of [endpointDomain === undefined ? [] : [endpointDomain], networkDomains])
    if (domains.length > 0 && !domains.some((domain) => covers(domain, host)))
      throw new PackAuthError(
        "endpoint-invalid",
        `${variable} names ${host}, and the pack allows only ${domains.join(" and ")}; nothing was sent.`,
        { hint: `Set ${variable} to an address under ${domains.join(" or ")}.` },
      );
}

/** Parses the host as the sender does, and not by the usual form of names: names with `_` or `$` resolve too. */
const isHost = (text: string): boolean => URL.canParse(`https://${text}/`) && new URL(`https://${text}/`).host === text;

/** Returns whether the host has no special meaning inside the quotation marks of a shell. */
const isPlain = (host: string): boolean => /^[\w.:[\]-]+$/.test(host);

/**
 * Throws request-refused if a destination is not among `named`: domains separated by spaces or commas, including their subdomains. Does not
 * show the variable's value.
 */
function refuseUnnamed(destinations: readonly string[], named: string | undefined): void {
  const domains = (named ?? "").split(/[\s,]+/);
  const unnamed = destinations.filter((host) => !domains.some((domain) => covers(domain, host)));
  if (unnamed.length === 0) return;
  throw new PackAuthError(
    "request-refused",
    `The credentials of the environment would go to ${unnamed.join(" and ")}, which PACK_AUTH_DOMAINS does not name; nothing was sent.`,
    {
      hint: destinations.every(isPlain)
        ? `If they may go there, set PACK_AUTH_DOMAINS="${destinations.join(" ")}".`
        : "Do not run this pack with credentials unless you know why it declares a host in this form.",
    },
  );
}

interface Variables {
  readonly required: readonly string[];
  /** Reads the credential once all required variables are set. An optional variable may be empty. */
  read(variable: (name: string, isPassword?: boolean) => string): Credential;
}

function variablesOf(auth: AuthenticationDefinition): Variables {
  switch (flowKindOf(auth.type) ?? "unavailable") {
    case "web-basic": {
      const alone = auth.uxConfig?.usernameOnly === true;
      return {
        required: alone ? ["USERNAME"] : ["USERNAME", "PASSWORD"],
        read: (variable) => ({ kind: "basic", username: variable("USERNAME"), password: alone ? "" : variable("PASSWORD", true) }),
      };
    }
    case "authorization-code":
    case "client-credentials":
      return { required: ["ACCESS_TOKEN"], read: (variable) => ({ kind: "oauth2", accessToken: variable("ACCESS_TOKEN") }) };
    case "aws":
    case "aws-role":
      return {
        required: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
        read: (variable) => ({
          kind: "aws",
          accessKeyId: variable("AWS_ACCESS_KEY_ID"),
          secretAccessKey: variable("AWS_SECRET_ACCESS_KEY"),
          ...defined({ sessionToken: variable("AWS_SESSION_TOKEN") || undefined, region: variable("AWS_REGION") || undefined }),
        }),
      };
    case "multi-token":
    case "custom": {
      const names = (auth.headers ?? auth.params ?? []).map(({ name }) => name);
      return {
        required: names.map(valueName),
        read: (variable) => ({ kind: "values", values: Object.fromEntries(names.map((name) => [name, variable(valueName(name))])) }),
      };
    }
    case "token":
    case "none":
    case "unavailable":
      return { required: ["TOKEN"], read: (variable) => ({ kind: "token", token: variable("TOKEN") }) };
  }
}

/**
 * A pack's name for a value must not select a variable of Pack Auth itself: the passphrase opens every account. Nor may a credential be in
 * a variable that other code treats as harmless (platform/bundle/esbuild.ts).
 */
const OWN: ReadonlySet<string> = new Set([
  "CODE_CACHE",
  "CORPUS",
  "COUNTS",
  "DOMAINS",
  "ENDPOINT",
  "HOME",
  "PASSPHRASE",
  "SANDBOX",
  "SECRET_STORE",
  "START",
]);

const valueName = (name: string): string => (OWN.has(shellName(name)) ? `${shellName(name)}_VALUE` : shellName(name));

/** The variables of all authentication types, except those that a pack names. */
const CREDENTIAL_VARIABLES: readonly string[] = [
  ...new Set(Object.keys(AUTH_TYPES).flatMap((type) => variablesOf({ type } as AuthenticationDefinition).required)),
];
