// One token: HeaderBearerToken, CustomHeaderToken, QueryParamToken, CodaApiHeaderBearerToken (auth-spec 5.2).
import { t } from "@vscode/l10n";
import { askSecrets, type Flow } from "./flow.ts";

export const signInWithToken: Flow = async (context) => {
  const [token] = (await askSecrets(context, [{ prompt: t`Paste the API token.`, placeholder: t`Token` }])) ?? [];
  return token === undefined ? undefined : { credential: { kind: "token", token } };
};
