// An account from environment variables, for continuous integration: PACK_AUTH_TOKEN and the like, by the pack's own type of
// authentication. With --account LABEL the names carry the label (PACK_AUTH_ALICE_TOKEN), for system authentication SYSTEM. Invariant: its
// credentials go to the domains that PACK_AUTH_DOMAINS names and to no others, whatever the pack declares.

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
  /** The variables that its credential comes from. */
  readonly variables: readonly string[];
  /** The variables that are missing for one. */
  readonly missingVariables: readonly string[];
  /** Those that are missing beside others that are set. */
  readonly incomplete: readonly string[];
}

/** Letters, digits and underscores, as shells take them. */
const shellName = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");

/**
 * The user's account where its variables are set, else the system's. Throws account-required where only its endpoint is missing, or where
 * the variables are those of another type of authentication, endpoint-invalid where the pack cannot reach it, credentials-missing where a value cannot be one, and request-refused where the account would go to a domain that is not named.
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

/** Whoever set a credential for the run did not choose the account that is stored on this machine. */
const otherType = (type: string, variables: string, own: readonly string[]): PackAuthError =>
  new PackAuthError("account-required", `The pack's authentication is ${type}, which does not read ${variables}; nothing was run.`, {
    hint: `Set ${inWords(own)} instead, or unset ${variables} to use an account of pack-auth connect.`,
  });

/** `A, B and C`. */
export const inWords = (names: readonly string[]): string => names.join(", ").replace(/, ([^,]*)$/, " and $1");

/** Where the credentials would go: to the endpoint's host alone where there is one (url-policy.ts). Nothing is sent to what is no host. */
function destinationsOf({ credentialDomains = [] }: AuthenticationDefinition, endpoint: string | undefined): readonly string[] {
  const hosts = endpoint !== undefined ? [new URL(endpoint).hostname] : credentialDomains;
  return hosts.map((host) => host.toLowerCase()).filter(isHost);
}

/** An endpoint that the pack cannot reach: no other variable would help. */
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

/** As the sender would read it, and not as names are mostly written: names with `_` or `$` in them resolve too. */
const isHost = (text: string): boolean => URL.canParse(`https://${text}/`) && new URL(`https://${text}/`).host === text;

/** What stands in quotation marks of a shell and means nothing there. */
const isPlain = (host: string): boolean => /^[\w.:[\]-]+$/.test(host);

/** `named`: domains with spaces or commas between them; each stands for its subdomains too. What it holds is not shown. */
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
  /** Once all of those are set; of others the text may be empty. */
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
 * A pack's name for a value must not lead to a variable that is for Pack Auth: the passphrase opens every account. Nor may a credential stand in
 * one that is taken for harmless (platform/bundle/esbuild.ts).
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

/** What the types of authentication read, without those whose variables a pack names. */
const CREDENTIAL_VARIABLES: readonly string[] = [
  ...new Set(Object.keys(AUTH_TYPES).flatMap((type) => variablesOf({ type } as AuthenticationDefinition).required)),
];
