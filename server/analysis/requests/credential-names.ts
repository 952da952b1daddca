// Names under which services take credentials.

/** Services put their own name before: `X-Acme-Access-Token`. */
export const CREDENTIAL_HEADER =
  /^(?:proxy-)?authorization$|(?:^|[-_])(?:rapid)?(?:api|access|auth|private|subscription)[-_]?(?:key|token|secret)$/i;
export const CREDENTIAL_PARAM =
  /^(?:(?:api|access|auth|bearer|private|secret)[-_]?(?:key|token)|(?:client|app|api)[-_]?secret|authorization|password)$/i;
/** Of a cookie: what a sign-in gave. */
export const CREDENTIAL_COOKIE = /sess|token|auth|jwt|secret|^(?:.*[-_.])?sid$/i;
