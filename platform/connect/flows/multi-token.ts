// MultiHeaderToken, MultiQueryParamToken and Custom: several named values, each with its own prompt and description (auth-spec 5.4).
import { configRoot, flowKindOf, valuesFieldOf } from "../../../spec/auth-types.ts";
import { PackAuthError } from "../../errors.ts";
import { askSecrets, type Flow } from "./flow.ts";

export const signInWithValues: Flow = async (context) => {
  const field = valuesFieldOf(context.auth.type);
  const namedCredentials = context.auth[field] ?? [];
  if (namedCredentials.length === 0 && flowKindOf(context.auth.type) !== "custom") {
    throw new PackAuthError("configuration-invalid", `The authentication's ${field} is empty: there is nothing to ask for.`, {
      configPath: `${configRoot(context.scope)}.${field}`,
    });
  }
  const secrets = await askSecrets(
    context,
    namedCredentials.map(({ name, description }) => ({ prompt: description || name, placeholder: name })),
  );
  if (secrets === undefined) return undefined;
  const values = Object.fromEntries(namedCredentials.map(({ name }, index) => [name, secrets[index] ?? ""]));
  return { credential: { kind: "values", values } };
};
