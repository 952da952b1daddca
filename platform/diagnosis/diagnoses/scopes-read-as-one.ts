import { diagnosis } from "../diagnosis.ts";
import { descriptionOf, listedScopes } from "../facts.ts";
import { delimiterName, documentedDelimiter, isOfScopes, requestedScopes, unlistedScopes } from "../oauth-facts.ts";

export default diagnosis({
  id: "scopes-read-as-one",
  docs: `The provider reads the scopes as one, because scopeDelimiter joins them by another character than it expects. The standard's delimiter is a space; some providers expect a comma or a semicolon.`,
  source: "RFC 6749, section 3.3",
  examples: [
    {
      phase: "authorization",
      auth: { type: "OAuth2", scopes: ["read", "write"] },
      exchange: "error=invalid_scope&error_description=Unknown scope 'read write'",
      says: "it reads the scopes as one",
      field: "scopeDelimiter",
    },
    {
      phase: "authorization",
      auth: { type: "OAuth2", scopes: ["read", "write"], scopeDelimiter: "," },
      exchange: "error=invalid_scope",
      says: "Remove scopeDelimiter",
      field: "scopeDelimiter",
    },
    {
      phase: "authorization",
      auth: { type: "OAuth2", scopes: ["read", "write"] },
      exchange: "error=invalid_scope&error_description=Unknown scope write",
      silent: true,
    },
  ],
  when(failure) {
    const { auth } = failure;
    const { scopes = [], scopeDelimiter = " " } = auth;
    if (!isOfScopes(failure) || scopes.length < 2 || unlistedScopes(failure).length > 0) return undefined;
    const description = descriptionOf(failure);
    const joined = scopes.join(scopeDelimiter);
    const isOwn = scopeDelimiter !== " ";
    const delimiter = delimiterName(auth);
    const documented = documentedDelimiter(auth);
    if (documented !== undefined && documented !== scopeDelimiter)
      return {
        reason: `it reads the scopes as one: scopeDelimiter joins them by ${delimiter}, and the provider's documentation has ${delimiterName({ scopeDelimiter: documented })}`,
        advice:
          documented === " "
            ? "Remove scopeDelimiter, and sign in again."
            : `Set scopeDelimiter: ${JSON.stringify(documented)}, and sign in again.`,
        field: "scopeDelimiter",
      };
    // The provider reads the scopes as one if it quotes them as one, or if it lists each scope but refuses them together. With the standard's
    // space, only quotation marks prove this: a list of the requested scopes looks the same. A scope in the metadata may also not be allowed
    // for this application.
    if (
      isQuoted(joined, description) ||
      (isOwn && documented === undefined && (description.includes(joined) || listedScopes(failure) !== undefined))
    )
      return {
        reason: `it reads the scopes as one: scopeDelimiter joins them by ${delimiter}`,
        advice: isOwn
          ? `Remove scopeDelimiter: the standard's is a space. Then sign in again. ${requestedScopes(auth)}`
          : `Set scopeDelimiter as the provider's documentation has it, "," or ";", and sign in again. ${requestedScopes(auth)}`,
        field: "scopeDelimiter",
      };
    if (!isOwn || documentedDelimiter(auth) === scopeDelimiter || scopes.some((scope) => description.includes(scope))) return undefined;
    return {
      reason: `it does not know the scopes as scopeDelimiter joins them, by ${delimiter}, or one of them`,
      advice: `Remove scopeDelimiter, unless the provider's documentation has it: the standard's is a space. Otherwise compare the names in scopes. ${requestedScopes(auth)}`,
      field: "scopeDelimiter",
    };
  },
});

const isQuoted = (text: string, description: string): boolean =>
  ['""', "''", "``", "“”", "‘’"].some(([open, close]) => description.includes(`${open}${text}${close}`));
