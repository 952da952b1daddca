// Decides where the secrets of a file's account would go, for the person and for PACK_AUTH_DOMAINS. Nothing is resolved here.

import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { ACCOUNT_FILE, type FileAccount } from "../../spec/account-file.ts";
import { hasSignIn } from "../../spec/auth-types.ts";
import { credentialForm } from "../accounts/credential-fields.ts";
import { destinationsOf, refuseForeign } from "../accounts/destinations.ts";
import { PackAuthError } from "../errors.ts";
import { choiceProblem, normaliseEndpoint } from "../network/endpoint.ts";

export interface Delivery {
  readonly account: FileAccount;
  readonly auth: AuthenticationDefinition;
  readonly endpoint?: string;
  /** The hosts that get the values. */
  readonly hosts: readonly string[];
}

/** Returns the account's delivery. Throws account-required, account-file-invalid or endpoint-invalid. */
export function deliveryOf(account: FileAccount, definition: PackDefinition): Delivery {
  const auth = definition[`${account.scope}Authentication`];
  if (auth === undefined || !hasSignIn(auth.type))
    throw new PackAuthError("account-required", `The pack has no ${account.scope} authentication for the account ${account.label}.`, {
      hint: `Correct its scope in ${ACCOUNT_FILE}, or remove it.`,
    });
  refuseOtherSecrets(account, auth);
  const endpoint = account.endpoint === undefined ? undefined : normaliseEndpoint(account.endpoint);
  if (endpoint !== undefined) {
    const source = `The endpoint of the account ${account.label} in ${ACCOUNT_FILE}`;
    const problem = choiceProblem(endpoint, auth.endpointDomain);
    if (problem !== undefined)
      throw new PackAuthError("endpoint-invalid", `${source} cannot be used; nothing was sent.`, { hint: problem });
    refuseForeign(source, endpoint, definition, auth);
  } else if (auth.requiresEndpointUrl === true)
    throw invalid(account, "it lacks an endpoint, which the pack's authentication needs", 'Add "endpoint" to it.');
  const tokenUrl = typeof auth.tokenUrl === "string" && URL.canParse(auth.tokenUrl) ? [new URL(auth.tokenUrl).host] : [];
  return { account, auth, hosts: [...new Set([...destinationsOf(auth, endpoint), ...tokenUrl])], ...defined({ endpoint }) };
}

/** Throws account-file-invalid unless the account has exactly the secrets of the authentication type. */
function refuseOtherSecrets(account: FileAccount, auth: AuthenticationDefinition): void {
  const { fields } = credentialForm(auth);
  const names = fields.map(({ name }) => name).join(", ");
  const missing = fields.filter(({ name, isOptional }) => isOptional !== true && !Object.hasOwn(account.secrets, name));
  if (missing.length > 0)
    throw invalid(account, `it lacks ${missing.map(({ name }) => name).join(", ")}`, `Secrets of ${auth.type} are: ${names}.`);
  // A name that the type does not have is not shown: a secret may stand in the wrong place.
  if (Object.keys(account.secrets).some((name) => fields.every((field) => field.name !== name)))
    throw invalid(account, "it has a secret that the authentication does not use", `Secrets of ${auth.type} are: ${names}. Remove others.`);
}

const invalid = ({ label }: FileAccount, reason: string, hint: string): PackAuthError =>
  new PackAuthError("account-file-invalid", `The account ${label} of ${ACCOUNT_FILE} cannot be used: ${reason}.`, { hint });
