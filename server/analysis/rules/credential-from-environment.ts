import { carriedCredentials, carriedInBody } from "../requests/carried-credentials.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "credential-from-environment",
  severity: "warning",
  source: "sdk-facts 4",
  docs: `A request takes its credential from \`process.env\`.

Call \`pack.setSystemAuthentication\`, and enter the credential in the pack's settings. The platform has no \`process\` and no environment variables, so the request goes out without the credential, or the formula fails. A build that puts the value into the bundle shows it to everyone who can read that.`,
  examples: [
    {
      bad: pack`
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: "Bearer " + «process.env.ACME_TOKEN» } });
        }`,
    },
    {
      good: pack`
        pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { "X-Client": process.env.CLIENT_NAME } });
        }`,
    },
  ],
  on: {
    *request(pack, request) {
      for (const { piece, where, as } of [...carriedCredentials(pack, request), ...carriedInBody(pack, request)]) {
        const [root, member, name = ""] = piece.path[0] === "globalThis" ? piece.path.slice(1) : piece.path;
        if (root !== "process" || member !== "env" || (/other|segment/.test(as) && !/(?:key|token|secret|password)$/i.test(name))) continue;
        yield {
          place: piece.place,
          message: `Use pack.setSystemAuthentication, and enter this credential in the pack's settings. The platform has no environment variables, so nothing is sent as ${where}.`,
        };
      }
    },
  },
});
