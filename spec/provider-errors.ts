// What providers' own error codes and words mean, where neither the OAuth code nor the words say it.
import { PROVIDER_ERRORS } from "./provider-error-lines.ts";
import type { ProviderError } from "./provider-page.ts";
import { type ProviderAddress, providerOf } from "./providers.ts";

let errors: readonly ProviderError[] | undefined;

/** Returns what the provider's words mean at a step of a sign-in, or undefined if that is not known here. */
export function providerReason(
  words: string,
  phase: string,
  address: ProviderAddress,
): Pick<ProviderError, "reason" | "advice" | "field"> | undefined {
  const page = providerOf(address);
  errors ??= JSON.parse(PROVIDER_ERRORS) as readonly ProviderError[];
  const meaning = errors.find(
    (error) =>
      (error.everywhere === true || error.provider === page?.id) &&
      (error.phase === undefined || error.phase === phase) &&
      new RegExp(error.code).test(words),
  );
  return meaning && { reason: meaning.reason, advice: meaning.advice, ...(meaning.field !== undefined && { field: meaning.field }) };
}
