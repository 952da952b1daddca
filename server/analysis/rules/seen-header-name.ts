import { propose } from "../configuration/config.ts";
import { changeType, fieldPlace, setField, whenSeen } from "../configuration/seen.ts";
import { pack, rule } from "../rule.ts";
import { quoteIn } from "../text/edit.ts";

export default rule({
  id: "seen-header-name",
  severity: "warning",
  source: "a sign-in or a run",
  docs: `The API asked for the credential in another header.

A run showed this: the API refused the request, and named the header that it reads. Set \`headerName\` to it, or use \`CustomHeaderToken\`.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.CustomHeaderToken,
          «headerName»: "X-Token",
        });
      `,
      seen: { code: "header-name", names: ["X-Api-Key"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.CustomHeaderToken,
          headerName: "X-Api-Key",
        });
      `,
    },
    {
      bad: pack`
        pack.setUserAuthentication({
          «type: coda.AuthenticationType.HeaderBearerToken»,
        });
      `,
      seen: { code: "header-name", names: ["X-Api-Key"] },
      fixed: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.CustomHeaderToken,
          headerName: "X-Api-Key",
        });
      `,
    },
    {
      good: pack`
        pack.setUserAuthentication({
          type: coda.AuthenticationType.CustomHeaderToken,
          headerName: "X-Token",
        });
      `,
    },
  ],
  on: {
    *seen(pack, { fact, auth }) {
      const [header] = fact.names;
      if (fact.code !== "header-name" || auth === undefined || header === undefined) return;
      const isNamed = auth.type === "CustomHeaderToken";
      const name = quoteIn(pack, auth.config, header);
      yield {
        place: fieldPlace(auth, isNamed ? "headerName" : "type"),
        message: `${isNamed ? `Set headerName to ${header}.` : `Use CustomHeaderToken with headerName ${header}.`} The API refused the request, and asked for the credential in this header.${whenSeen(fact)}`,
        fixes: () =>
          isNamed
            ? setField(pack, auth, "headerName", name).map((edit) => propose(`Set headerName to ${header}`, edit))
            : changeType(pack, auth, "CustomHeaderToken", { headerName: name }),
      };
    },
  },
});
