// One token: HeaderBearerToken, CustomHeaderToken, QueryParamToken, CodaApiHeaderBearerToken (auth-spec 5.2).
import { askSecrets, type Flow } from "./flow.ts";

export const signInWithToken: Flow = async (context) => {
  const [token] = (await askSecrets(context, [{ prompt: "Paste the API token.", placeholder: "Token" }])) ?? [];
  return token === undefined ? undefined : { credential: { kind: "token", token } };
};
