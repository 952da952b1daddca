// Several named values: MultiHeaderToken, MultiQueryParamToken and Custom, one prompt each, with its description (auth-spec 5.4).
import { t } from "@vscode/l10n";
import { configRoot, flowKindOf, valuesFieldOf } from "../../../spec/auth-types.ts";
import { PackAuthError } from "../../errors.ts";
import { askSecrets, type Flow } from "./flow.ts";

export const signInWithValues: Flow = async (context) => {
  const field = valuesFieldOf(context.auth.type);
  const asked = context.auth[field] ?? [];
  if (asked.length === 0 && flowKindOf(context.auth.type) !== "custom") {
    throw new PackAuthError("configuration-invalid", t`The authentication's ${field} is empty: there is nothing to ask for.`, {
      configPath: `${configRoot(context.scope)}.${field}`,
    });
  }
  const answers = await askSecrets(
    context,
    asked.map(({ name, description }) => ({ prompt: description || name, placeholder: name })),
  );
  if (answers === undefined) return undefined;
  const values = Object.fromEntries(asked.map(({ name }, index) => [name, answers[index] ?? ""]));
  return { credential: { kind: "values", values } };
};
