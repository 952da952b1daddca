// What providers' own error codes and words mean, where neither the OAuth code nor the words say it.
import { PROVIDER_ERRORS } from "./provider-error-lines.ts";
import type { ProviderError } from "./provider-page.ts";
import { type ProviderAddress, providerOf } from "./providers.ts";

/** Returns what the provider's words mean at a step of a sign-in, or undefined if that is not known here. */
export function providerReason(
  words: string,
  phase: string,
  address: ProviderAddress,
): Pick<ProviderError, "reason" | "advice" | "field"> | undefined {
  const page = providerOf(address);
  const meaning = PROVIDER_ERRORS.find(
    (error) =>
      (error.everywhere === true || error.provider === page?.id) &&
      (error.phase === undefined || error.phase === phase) &&
      new RegExp(error.code).test(words),
  );
  return meaning && { reason: meaning.reason, advice: meaning.advice, ...(meaning.field !== undefined && { field: meaning.field }) };
}
