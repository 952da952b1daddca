// Several named values: MultiHeaderToken, MultiQueryParamToken and Custom, one prompt each, with its description (auth-spec 5.4).
import { t } from "@vscode/l10n";
import { flowKindOf, valuesFieldOf } from "../../../spec/auth-types.ts";
import { PackAuthError } from "../../errors.ts";
import { askSecret, configRoot, type Flow } from "./flow.ts";

export const signInWithValues: Flow = async (context) => {
  const field = valuesFieldOf(context.auth.type);
  const asked = context.auth[field] ?? [];
  if (asked.length === 0 && flowKindOf(context.auth.type) !== "custom") {
    throw new PackAuthError("configuration-invalid", t`The authentication's ${field} is empty: there is nothing to ask for.`, {
      configPath: `${configRoot(context.scope)}.${field}`,
    });
  }
  const values: Record<string, string> = {};
  for (const [index, item] of asked.entries()) {
    const value = await askSecret(context, {
      prompt: item.description || item.name,
      placeholder: item.name,
      step: index + 1,
      totalSteps: asked.length,
    });
    if (value === undefined) return undefined;
    values[item.name] = value;
  }
  return { credential: { kind: "values", values } };
};
