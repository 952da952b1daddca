// Names under which services accept credentials.

/** Services may prefix their own name: `X-Acme-Access-Token`. */
export const CREDENTIAL_HEADER =
  /^(?:proxy-)?authorization$|(?:^|[-_])(?:rapid)?(?:api|access|auth|private|subscription)[-_]?(?:key|token|secret)$/i;
export const CREDENTIAL_PARAM =
  /^(?:(?:api|access|auth|bearer|private|secret)[-_]?(?:key|token)|(?:client|app|api)[-_]?secret|authorization|password)$/i;
/** Names of cookies that a sign-in sets. */
export const CREDENTIAL_COOKIE = /sess|token|auth|jwt|secret|^(?:.*[-_.])?sid$/i;
/**
 * Further names of credentials. A literal under one of them may be public, and a value computed for one request may be a secret of its own.
 * `session_token` and `client_token` are not credentials at all.
 */
export const SECRET_HEADER =
  /^(?:x[-_])?(?:token|auth|jwt|bearer)$|(?:^|[-_])(?:app(?:lication)?[-_]?(?:key|token)|secret|password|passwd|credentials?)$/i;
export const SECRET_PARAM =
  /^(?:(?:app|application|subscription|x[-_]api)[-_]?(?:key|token)|(?:refresh|id)[-_]?token|jwt|bearer|auth|credentials?)$/i;
