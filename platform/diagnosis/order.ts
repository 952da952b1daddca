// The order of the diagnoses: the most specific first, because the first that fits decides. A test checks that each file has its place.
import acceptedCredentialRefused from "./diagnoses/accepted-credential-refused.ts";
import accessDenied from "./diagnoses/access-denied.ts";
import accessNotGranted from "./diagnoses/access-not-granted.ts";
import administratorConsentNeeded from "./diagnoses/administrator-consent-needed.ts";
import apiNamesAnError from "./diagnoses/api-names-an-error.ts";
import apiWantsAHeader from "./diagnoses/api-wants-a-header.ts";
import apiWantsAQueryParameter from "./diagnoses/api-wants-a-query-parameter.ts";
import apiWantsAnotherScheme from "./diagnoses/api-wants-another-scheme.ts";
import applicationNotAllowed from "./diagnoses/application-not-allowed.ts";
import authenticationDisabled from "./diagnoses/authentication-disabled.ts";
import authorizationParameterMissing from "./diagnoses/authorization-parameter-missing.ts";
import authorizationUrlWrong from "./diagnoses/authorization-url-wrong.ts";
import bodyUnreadable from "./diagnoses/body-unreadable.ts";
import certificateExpired from "./diagnoses/certificate-expired.ts";
import certificateNotYetValid from "./diagnoses/certificate-not-yet-valid.ts";
import certificateOfOtherHost from "./diagnoses/certificate-of-other-host.ts";
import certificateUntrusted from "./diagnoses/certificate-untrusted.ts";
import clientIdOfOtherName from "./diagnoses/client-id-of-other-name.ts";
import clientIsPublic from "./diagnoses/client-is-public.ts";
import clientOrRedirectUnknown from "./diagnoses/client-or-redirect-unknown.ts";
import clientRefused from "./diagnoses/client-refused.ts";
import codeOfOtherHost from "./diagnoses/code-of-other-host.ts";
import codeRefused from "./diagnoses/code-refused.ts";
import codeUsedUp from "./diagnoses/code-used-up.ts";
import connectionClosed from "./diagnoses/connection-closed.ts";
import connectionRefused from "./diagnoses/connection-refused.ts";
import credentialMissing from "./diagnoses/credential-missing.ts";
import credentialRefused from "./diagnoses/credential-refused.ts";
import domainUndeclared from "./diagnoses/domain-undeclared.ts";
import errorWithSuccess from "./diagnoses/error-with-success.ts";
import expiredWithout401 from "./diagnoses/expired-without-401.ts";
import forbidden from "./diagnoses/forbidden.ts";
import freshTokenRefused from "./diagnoses/fresh-token-refused.ts";
import grantNotAllowed from "./diagnoses/grant-not-allowed.ts";
import grantNotOffered from "./diagnoses/grant-not-offered.ts";
import headersTooLarge from "./diagnoses/headers-too-large.ts";
import hostUnknown from "./diagnoses/host-unknown.ts";
import interactionRequired from "./diagnoses/interaction-required.ts";
import jsonCutOff from "./diagnoses/json-cut-off.ts";
import lengthMismatch from "./diagnoses/length-mismatch.ts";
import mcpAsksItsUser from "./diagnoses/mcp-asks-its-user.ts";
import mcpError from "./diagnoses/mcp-error.ts";
import mcpNotSpoken from "./diagnoses/mcp-not-spoken.ts";
import mcpNotThere from "./diagnoses/mcp-not-there.ts";
import mcpOverHttpSse from "./diagnoses/mcp-over-http-sse.ts";
import mcpResultInvalid from "./diagnoses/mcp-result-invalid.ts";
import mcpSessionEnded from "./diagnoses/mcp-session-ended.ts";
import mcpVersionUnknown from "./diagnoses/mcp-version-unknown.ts";
import networkFailed from "./diagnoses/network-failed.ts";
import noAnswerInTime from "./diagnoses/no-answer-in-time.ts";
import noSecureConnection from "./diagnoses/no-secure-connection.ts";
import notFound from "./diagnoses/not-found.ts";
import pkceMethodRefused from "./diagnoses/pkce-method-refused.ts";
import pkceNotAccepted from "./diagnoses/pkce-not-accepted.ts";
import pkceRequired from "./diagnoses/pkce-required.ts";
import prefixEnteredToo from "./diagnoses/prefix-entered-too.ts";
import prefixJoinedToValue from "./diagnoses/prefix-joined-to-value.ts";
import prefixMayBeWrong from "./diagnoses/prefix-may-be-wrong.ts";
import providerDemandUnmet from "./diagnoses/provider-demand-unmet.ts";
import providerReason from "./diagnoses/provider-reason.ts";
import proxyRefused from "./diagnoses/proxy-refused.ts";
import proxyUnusable from "./diagnoses/proxy-unusable.ts";
import pushedAuthorizationRequired from "./diagnoses/pushed-authorization-required.ts";
import redirectAddressNotRegistered from "./diagnoses/redirect-address-not-registered.ts";
import redirectNotAccepted from "./diagnoses/redirect-not-accepted.ts";
import refreshTokenRefused from "./diagnoses/refresh-token-refused.ts";
import registeredClientUnknown from "./diagnoses/registered-client-unknown.ts";
import registrationClosed from "./diagnoses/registration-closed.ts";
import registrationRejected from "./diagnoses/registration-rejected.ts";
import requestRefusedHere from "./diagnoses/request-refused-here.ts";
import requestRejected from "./diagnoses/request-rejected.ts";
import requestStopped from "./diagnoses/request-stopped.ts";
import requestUnanswered from "./diagnoses/request-unanswered.ts";
import resourceUnknown from "./diagnoses/resource-unknown.ts";
import responseTypeNotOffered from "./diagnoses/response-type-not-offered.ts";
import scopeMissing from "./diagnoses/scope-missing.ts";
import scopesReadAsOne from "./diagnoses/scopes-read-as-one.ts";
import scopesRefused from "./diagnoses/scopes-refused.ts";
import serverError from "./diagnoses/server-error.ts";
import temporarilyUnavailable from "./diagnoses/temporarily-unavailable.ts";
import tokenInNestedObject from "./diagnoses/token-in-nested-object.ts";
import tokenKindNotRevoked from "./diagnoses/token-kind-not-revoked.ts";
import tokenMissing from "./diagnoses/token-missing.ts";
import tokenNotNested from "./diagnoses/token-not-nested.ts";
import tokenParameterMissing from "./diagnoses/token-parameter-missing.ts";
import tokenRanOut from "./diagnoses/token-ran-out.ts";
import tokenRefused from "./diagnoses/token-refused.ts";
import tokenRequestInvalid from "./diagnoses/token-request-invalid.ts";
import tokenResponseEmpty from "./diagnoses/token-response-empty.ts";
import tokenResponseTooLarge from "./diagnoses/token-response-too-large.ts";
import tokenUrlIsAPage from "./diagnoses/token-url-is-a-page.ts";
import tokenUrlIsAuthorizationUrl from "./diagnoses/token-url-is-authorization-url.ts";
import tokenUrlOfAnotherService from "./diagnoses/token-url-of-another-service.ts";
import tokenUrlRedirects from "./diagnoses/token-url-redirects.ts";
import tokenUrlWantsJson from "./diagnoses/token-url-wants-json.ts";
import tokenUrlWrong from "./diagnoses/token-url-wrong.ts";
import tooManyRequests from "./diagnoses/too-many-requests.ts";
import unexplained from "./diagnoses/unexplained.ts";
import webPage from "./diagnoses/web-page.ts";

export const DIAGNOSES = [
  // The request itself: nothing was sent, or nothing came back.
  requestUnanswered,
  domainUndeclared,
  hostUnknown,
  connectionRefused,
  connectionClosed,
  bodyUnreadable,
  lengthMismatch,
  noAnswerInTime,
  noSecureConnection,
  certificateExpired,
  certificateNotYetValid,
  certificateOfOtherHost,
  certificateUntrusted,
  headersTooLarge,
  proxyUnusable,
  proxyRefused,
  requestStopped,
  requestRefusedHere,
  networkFailed,
  // MCP: what the server's own words say.
  mcpOverHttpSse,
  mcpResultInvalid,
  mcpAsksItsUser,
  mcpSessionEnded,
  mcpVersionUnknown,
  // OAuth: the provider's error, from its words to its bare code.
  codeUsedUp,
  redirectNotAccepted,
  registrationClosed,
  registrationRejected,
  tokenUrlIsAuthorizationUrl,
  tokenUrlRedirects,
  administratorConsentNeeded,
  providerReason,
  accessDenied,
  clientIdOfOtherName,
  redirectAddressNotRegistered,
  pkceRequired,
  pkceNotAccepted,
  pkceMethodRefused,
  pushedAuthorizationRequired,
  tokenUrlWantsJson,
  tokenParameterMissing,
  applicationNotAllowed,
  tokenUrlOfAnotherService,
  scopesReadAsOne,
  scopesRefused,
  registeredClientUnknown,
  clientIsPublic,
  clientRefused,
  codeOfOtherHost,
  refreshTokenRefused,
  codeRefused,
  clientOrRedirectUnknown,
  grantNotAllowed,
  grantNotOffered,
  responseTypeNotOffered,
  providerDemandUnmet,
  authorizationParameterMissing,
  tokenRequestInvalid,
  resourceUnknown,
  interactionRequired,
  tokenKindNotRevoked,
  temporarilyUnavailable,
  // A token endpoint that answers without a token.
  tokenResponseTooLarge,
  tokenResponseEmpty,
  tokenUrlIsAPage,
  tokenInNestedObject,
  tokenNotNested,
  tokenMissing,
  // An API's refusal of the credential.
  authenticationDisabled,
  prefixEnteredToo,
  prefixJoinedToValue,
  tokenRanOut,
  accessNotGranted,
  scopeMissing,
  tokenRefused,
  apiNamesAnError,
  apiWantsAHeader,
  apiWantsAQueryParameter,
  apiWantsAnotherScheme,
  prefixMayBeWrong,
  freshTokenRefused,
  acceptedCredentialRefused,
  expiredWithout401,
  // Statuses, which mean the same at every step.
  tooManyRequests,
  serverError,
  authorizationUrlWrong,
  tokenUrlWrong,
  mcpError,
  mcpNotThere,
  credentialMissing,
  credentialRefused,
  forbidden,
  notFound,
  webPage,
  jsonCutOff,
  errorWithSuccess,
  mcpNotSpoken,
  requestRejected,
  unexplained,
] as const;

export type DiagnosisId = (typeof DIAGNOSES)[number]["id"];
