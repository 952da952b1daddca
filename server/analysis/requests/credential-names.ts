// Under which names a request carries a credential.
import { strengthOf } from "../../../spec/credential-names.ts";

/** Whether nothing but a credential has the name. */
export const isCredentialName = (name: string): boolean => strengthOf(name) === "credential";

/** Names of cookies that a sign-in sets. */
export const CREDENTIAL_COOKIE = /sess|token|auth|jwt|secret|^(?:.*[-_.])?sid$/i;

/** Whether a secret is expected under the name. A literal under it may be public, and a value computed for one request a secret of its own. */
const takesSecret = (name: string): boolean => isCredentialName(name) || strengthOf(name) === "usual" || /^auth$/i.test(name);

/** The same for a parameter or a field. A request that creates a webhook makes up its `secret`. */
export const isSecretParam = (name: string): boolean => takesSecret(name) && !/^secret$/i.test(name);

export const isSecretHeader = (name: string): boolean => takesSecret(name) || /^(?:x[-_])?(?:token|auth)$/i.test(name);
