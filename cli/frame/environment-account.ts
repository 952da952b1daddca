// An account from environment variables, for continuous integration, such as PACK_AUTH_TOKEN. The pack's authentication type decides which
// variables apply. With --account LABEL the names contain the label (PACK_AUTH_ALICE_TOKEN), for system authentication SYSTEM.
// Invariant: its credentials go to the domains that PACK_AUTH_DOMAINS names and to no others, whatever the pack declares.

import { defined } from "../../base/defined.ts";
import type { EnvironmentAccount } from "../../operations/run/run-ground.ts";
import { credentialForm } from "../../platform/accounts/credential-fields.ts";
import { destinationsOf, refuseForeign, refuseUnnamed } from "../../platform/accounts/destinations.ts";
import { checkedValue } from "../../platform/accounts/pasted-value.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { normaliseEndpoint } from "../../platform/network/endpoint.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { AUTH_TYPES, hasSignIn } from "../../spec/auth-types.ts";
import { shellName } from "../../spec/own-variables.ts";

interface AccountVariables extends EnvironmentAccount {
  /** The missing variables of an account for which other variables are set. */
  readonly incomplete: readonly string[];
}

/**
 * Returns the user's account if its variables are set, else the system's account.
 * Throws account-required if only the endpoint is missing, or if the variables belong to another type of authentication. Throws
 * endpoint-invalid if the pack cannot reach the endpoint. Throws credentials-missing if a value is not a possible credential. Throws
 * request-refused if the account would go to a domain that PACK_AUTH_DOMAINS does not name.
 */
export function accountFromEnvironment(definition: PackDefinition, label: string | undefined, env: NodeJS.ProcessEnv): AccountVariables {
  // PACK_AUTH_API_TOKEN is the token of the platform's API.
  if (label !== undefined && shellName(label) === "API") return { missingVariables: [], incomplete: [], variables: [] };
  const name = label === undefined ? "" : `${shellName(label)}_`;
  const missingVariables: string[] = [];
  const incomplete: string[] = [];
  let ofOtherType: PackAuthError | undefined;
  for (const [scope, auth, prefix] of [
    ["user", definition.userAuthentication, `PACK_AUTH_${name}`],
    ["system", definition.systemAuthentication, `PACK_AUTH_SYSTEM_${name}`],
  ] as const) {
    if (auth === undefined || !hasSignIn(auth.type)) continue;
    const variables = requiredVariables(auth);
    const own = variables.map((variable) => prefix + variable);
    const required = auth.requiresEndpointUrl === true ? [...own, `${prefix}ENDPOINT`] : own;
    const missing = required.filter((variable) => !env[variable]);
    if (own.some((variable) => !env[variable])) {
      const foreign = CREDENTIAL_VARIABLES.filter((variable) => !variables.includes(variable) && env[prefix + variable]);
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
    refuseUnnamed(destinationsOf(auth, endpoint), env.PACK_AUTH_DOMAINS, "the environment");
    const credential = credentialForm(auth).credential(({ variable, isPassword }) =>
      checkedValue(env[prefix + variable] ?? "", prefix + variable, isPassword),
    );
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

/** Returns the names of the variables that an account needs, without their prefix. */
const requiredVariables = (auth: AuthenticationDefinition): readonly string[] =>
  credentialForm(auth).fields.flatMap(({ variable, isOptional }) => (isOptional === true ? [] : [variable]));

/** The variables of all authentication types, except those that a pack names. */
const CREDENTIAL_VARIABLES: readonly string[] = [
  ...new Set(Object.keys(AUTH_TYPES).flatMap((type) => requiredVariables({ type } as AuthenticationDefinition))),
];
