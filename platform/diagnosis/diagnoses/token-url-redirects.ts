import { isReachable } from "../../network/reachable-address.ts";
import { diagnosis } from "../diagnosis.ts";
import { withoutSlash } from "../facts.ts";

export default diagnosis({
  id: "token-url-redirects",
  docs: `tokenUrl answers with a redirect. It is not followed, because it could send the client secret elsewhere. Put the final address into tokenUrl, if that is the provider's.`,
  source: "RFC 9110, section 15.4; RFC 9700, section 4.12",
  examples: [
    {
      phase: "code",
      signIn: { address: "https://id.acme.example/token" },
      tokenResponse: { redirect: "/token/" },
      exchange: "301",
      says: 'Set tokenUrl: "https://id.acme.example/token/"',
      field: "tokenUrl",
    },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  when({ signIn, exchange, tokenResponse }) {
    const { redirect } = tokenResponse ?? {};
    if (redirect === undefined || signIn === undefined) return undefined;
    const target = redirect !== null && URL.canParse(redirect, signIn.address) ? new URL(redirect, signIn.address) : undefined;
    const reason = `tokenUrl answers with a redirect (${exchange?.status ?? ""}), which was not followed, because it could send the secret elsewhere`;
    const { origin, pathname } = new URL(signIn.address);
    const address = target === undefined ? "" : `${target.origin}${target.pathname}`;
    const isSlash = target?.origin === origin && withoutSlash(target.pathname) === withoutSlash(pathname);
    if (isSlash) return { reason, advice: `Set tokenUrl: ${JSON.stringify(address)}. The slash at the end matters.`, field: "tokenUrl" };
    // Only an address that a configuration may have is proposed: neither http to another host nor another scheme.
    return {
      reason,
      advice: isReachable(address, signIn.address)
        ? `Set tokenUrl to ${address}, if that is the provider's. The redirect leads there.`
        : "Put the final address into tokenUrl.",
      field: "tokenUrl",
    };
  },
});
