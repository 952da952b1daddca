// What providers' own error codes mean, where neither the OAuth code nor the words say it. Each entry names the source that was read.

/** `application-kind`: the redirect address is registered for another kind of application. */
export type ProviderErrorMeaning = "application-kind";

interface ProviderErrorFact {
  readonly code: RegExp;
  readonly meaning: ProviderErrorMeaning;
  readonly source: string;
}

const FACTS: readonly ProviderErrorFact[] = [
  {
    code: /\bAADSTS9002327\b/,
    meaning: "application-kind",
    source: "github.com/AzureAD/microsoft-authentication-library-for-js, issues 2482 and 3637",
  },
];

/** Returns what a provider's error means, or undefined if its code is not known here. */
export const providerErrorMeaning = (text: string): ProviderErrorMeaning | undefined => FACTS.find(({ code }) => code.test(text))?.meaning;
