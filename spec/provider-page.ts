// The facts about a provider, as its page in providers/ has them. A fact that no source says is absent: it is not known.

/**
 * What a source is: the provider's own documentation; a library of the provider or a maintained one for it alone; somebody's guide or example;
 * a table of many providers.
 */
export const SOURCE_KINDS = ["documentation", "sdk", "sample", "table"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What was read, and when. */
export interface FactSource {
  readonly kind: SourceKind;
  /** A package with its version and file, a repository with its commit and file, or the address of a page. */
  readonly read: string;
  /** The date on which it was read: YYYY-MM-DD. */
  readonly checked: string;
  /** The licence of a package or repository whose table seeded the page. */
  readonly licence?: string;
}

/** What a documentation demands, in its own words. */
export interface Demand {
  /** At most 200 characters. */
  readonly words: string;
  /** The address of the documentation. */
  readonly source: string;
}

/** The facts of a page, without what was read for each. */
export interface ProviderFacts {
  /** The name of the file. */
  readonly id: string;
  readonly title: string;
  /** The registrable domains of the provider's addresses; empty if the whole host differs between accounts. */
  readonly domains: readonly string[];
  /** The path of a fact, such as `oauth2.pkce` → the words that demand it, if no other documentation or SDK says otherwise. */
  readonly demands: Readonly<Record<string, Demand>>;
  /** The path of a fact for which the provider accepts several values → these values. */
  readonly accepts: Readonly<Record<string, readonly string[]>>;
  readonly oauth2?: OAuth2Facts;
  /** Other ways to authenticate at the API, such as a token that a user creates. The ones that most packs use come first. */
  readonly keys: readonly KeyFacts[];
  readonly api?: ApiFacts;
  readonly console?: ConsoleFacts;
  /** The verification or review that the provider demands before other people can sign in: a sentence. */
  readonly verification?: string;
  /** Other pages of the same company, or with a shared sign-in. */
  readonly sameHouse: readonly string[];
}

/** What was read for the facts of a page. */
export interface ProviderReadings {
  readonly sources: readonly FactSource[];
  /** The path of a fact, such as `oauth2.tokenUrl` → the sources that say it, as indices of {@link sources}. */
  readonly sourcesOf: Readonly<Record<string, readonly number[]>>;
  /** What further sources say instead of the fact that the page uses. */
  readonly disagreements: readonly { readonly fact: string; readonly value: string; readonly sources: readonly number[] }[];
}

export interface ProviderPage extends ProviderFacts, ProviderReadings {}

/** In all URLs, each account replaces `[subdomain]` with its own. */
export interface OAuth2Facts {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The hosts of authorization pages; `*.` matches any subdomain. */
  readonly hosts?: readonly string[];
  /** Limits the facts about authorization to URLs that contain this string. */
  readonly path?: string;
  /** Scopes that packs often need: the name → what it allows. */
  readonly scopes?: Readonly<Record<string, string>>;
  readonly scopeDelimiter?: " " | "," | ";";
  readonly scopeParamName?: string;
  readonly pkce?: "required" | "supported" | "refused";
  /** Where the token request carries the client's credentials: the form, the Authorization header, or either. */
  readonly clientAuthentication?: "body" | "header" | "either";
  /** Parameters of the authorization request that the provider requires, whatever the scopes: name → value. */
  readonly additionalParams?: Readonly<Record<string, string>>;
  readonly refresh?: RefreshFacts;
  /** Seconds from the issue of an access token to its expiry, or `none` if it does not expire. */
  readonly tokenLifetime?: number | "none";
  /** The object of the token response that contains the token. */
  readonly nestedResponseKey?: string;
  /** The property of the token response with the account's endpoint URL. */
  readonly endpointKey?: string;
  readonly tokenPrefix?: string;
  readonly tokenQueryParam?: string;
  /** Alternative spellings of scopes; see isScopeGranted. */
  readonly scopeNames?: Readonly<Record<string, string>>;
  readonly scopePrefix?: string;
  /** What the provider accepts as a redirect address: a sentence. */
  readonly redirect?: string;
  /** Why the platform cannot sign in by OAuth2 here, and the way out: a sentence each. */
  readonly unsupported?: { readonly reason: string; readonly instead: string };
}

export interface RefreshFacts {
  /** Without these parameters, the provider issues no refresh token. */
  readonly params?: readonly AuthorizationParam[];
  /** One of these scopes is required; fixes add the first. */
  readonly scopes?: readonly string[];
  /** Whether a request without scopes grants all scopes, including the required one. */
  readonly allByDefault?: boolean;
  /** Whether each refresh returns a new refresh token and ends the old one. */
  readonly rotates?: boolean;
}

/** A parameter of the authorization request. */
export interface AuthorizationParam {
  readonly name: string;
  /** One of the words that the value must contain. */
  readonly value: string;
  /** An older parameter with the same effect. */
  readonly orParam?: string;
  /** The consequence if the parameter is missing. */
  readonly without: string;
}

/** A credential that a person creates at the provider and enters. */
export interface KeyFacts {
  readonly type:
    | "HeaderBearerToken"
    | "CustomHeaderToken"
    | "QueryParamToken"
    | "WebBasic"
    | "Custom"
    | "MultiHeaderToken"
    | "MultiQueryParamToken";
  /** The provider's own name of the credential: `personal access token`. */
  readonly name: string;
  /** Where a person creates one. */
  readonly createUrl?: string;
  readonly headerName?: string;
  readonly tokenPrefix?: string;
  readonly paramName?: string;
  /** The provider's names of user name and password, for WebBasic. */
  readonly username?: string;
  readonly password?: string;
  /** Names and descriptions of the values, for types with several. */
  readonly values?: readonly { readonly name: string; readonly description: string }[];
}

export interface ApiFacts {
  /** The URL that requests begin with; `[subdomain]` if each account has its own. */
  readonly url?: string;
  /** The URL at which the API describes the user. */
  readonly userUrl?: string;
  /** The method of that request; GET by default. */
  readonly userMethod?: string;
  /** The body of that request, for an API that needs one. */
  readonly userBody?: string;
  /** The path of the user's name in the response: `data.name`, or `users.0.name` for the first item of a list. */
  readonly userName?: string;
  /** A header that every request needs: name → value, such as a version. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a person enters as the account's own endpoint: `your shop's address, such as acme.myshopify.com`. */
  readonly endpoint?: string;
}

/** Where and how an application is registered. */
export interface ConsoleFacts {
  readonly url: string;
  /** The provider's word for what is created: `OAuth app`, `integration`. */
  readonly creates?: string;
  /** The label of the field for the redirect address. */
  readonly redirectField?: string;
  /** Further things to enter or choose there, in order: sentences. */
  readonly steps?: readonly string[];
}

/** An entry of providers/errors.yaml. */
export interface ProviderError {
  /** The ID of the provider's page. */
  readonly provider: string;
  /** True if no other server has the code. */
  readonly everywhere?: boolean;
  /** A regular expression for the provider's code or words. */
  readonly code: string;
  /** The only step of a sign-in at which it means this. */
  readonly phase?: string;
  readonly reason: string;
  readonly advice: string;
  readonly field?: string;
}
