// The domains of the platform's own API: the only ones that a token for it may go to.

/** The platform's own, with their subdomains (sdk-facts 2); the toolkit's validator knows them by the same names. */
export const PLATFORM_DOMAINS = ["coda.io", "superhuman.com", "localhost", "pp-sh.io", "qa-sh.io", "grammarlyaws.com"];

export const isPlatformDomain = (domain: string): boolean => PLATFORM_DOMAINS.some((own) => domain === own || domain.endsWith(`.${own}`));
