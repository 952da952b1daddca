import { diagnosis, http } from "../diagnosis.ts";
import { codeOf, withoutSlash } from "../facts.ts";
import { asksToken } from "../oauth-codes.ts";

export default diagnosis({
  id: "token-url-is-authorization-url",
  docs: `tokenUrl is the same address as authorizationUrl, so whatever it answers is not about a token. Put the provider's token address into tokenUrl; it usually ends in /token.`,
  source: "RFC 6749, sections 3.1 and 3.2",
  examples: [
    {
      phase: "code",
      auth: { type: "OAuth2", authorizationUrl: "https://id.acme.example/oauth" },
      signIn: { address: "https://id.acme.example/oauth/" },
      exchange: http`
      POST https://id.acme.example/oauth/

      200

      <html>`,
      says: "tokenUrl is the same address as authorizationUrl",
      field: "tokenUrl",
    },
    {
      phase: "code",
      auth: { type: "OAuth2", authorizationUrl: "https://id.acme.example/authorize" },
      exchange: '400 {"error":"invalid_grant"}',
      silent: true,
    },
  ],
  when(failure) {
    const {
      auth: { authorizationUrl },
      signIn,
    } = failure;
    if (!asksToken(failure) || failure.exchange === undefined || signIn === undefined || authorizationUrl === undefined) return undefined;
    if (!URL.canParse(authorizationUrl, signIn.address) || codeOf(failure) === "invalid_grant") return undefined;
    const [one, other] = [new URL(signIn.address), new URL(authorizationUrl, signIn.address)];
    if (one.origin !== other.origin || withoutSlash(one.pathname) !== withoutSlash(other.pathname)) return undefined;
    return {
      reason: "tokenUrl is the same address as authorizationUrl, and returns no token",
      advice: "Put the provider's token address into tokenUrl; it usually ends in /token.",
      field: "tokenUrl",
    };
  },
});
