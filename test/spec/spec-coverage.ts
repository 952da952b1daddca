// Generates test/spec/spec-coverage.md: every row and rule of the authentication specification, with the tests that cover it. The tests name
// their sections in their titles (`auth-spec <section>, <section>: what`), so a rule without a test is noticed.
import type { TestTitle } from "../../scripts/test-titles.ts";

/** Section → a short summary. The parts that the specification calls “not shown” require nothing and are omitted. */
export const SPEC_ROWS: Readonly<Record<string, string>> = {
  "1 secrecy": "the pack's code never reads credentials; the platform exchanges, stores and applies them",
  "1 fixed types": "the types that there are, and no authentication code of one's own",
  "1 per-user": "each user has credentials of their own",
  "1 system-wide": "one set of the author's credentials serves everybody, who set up nothing",
  "1 step 1": "a button to sign in (here: the lens over the setter)",
  "1 step 2": "the sign-in asks for what the type needs",
  "1 step 3": "after it: who shares the account (here: this workspace, or all)",
  "1 step 4": "accounts can be added, shared otherwise, used again elsewhere, and are managed in one place",
  "1 step 5": "the account is a formula's first parameter, chosen from a list",
  "2.1 type": "chooses the kind of authentication: the six that are named",
  "2.1 instructionsUrl": "a link where the token is asked for",
  "2.1 getConnectionName": "gives the account its label",
  "2.1 defaultConnectionRequirement": "what formulas and sync tables need where they say nothing",
  "2.1 defaultConnectionType": "is accepted; its values are not told",
  "2.1 requiresEndpointUrl": "each account has a URL of its own, the base of its requests",
  "2.1 endpointDomain": "what an entered URL must belong to",
  "2.1 postSetup": "steps after the credentials, before the account is there",
  "2.1 ConnectionRequirement": "None and Required",
  "2.2 HeaderBearerToken": "no more fields",
  "2.2 CustomHeaderToken": "headerName, and a prefix if wanted",
  "2.2 QueryParamToken": "paramName",
  "2.2 Custom": "params, each with name and description",
  "2.2 WebBasic": "uxConfig with placeholderUsername and placeholderPassword",
  "2.2 OAuth2": "the fields of 2.3",
  "2.3 type": "OAuth2",
  "2.3 authorizationUrl": "where the browser goes; the scopes are put on it",
  "2.3 tokenUrl": "where the code becomes a token",
  "2.3 scopes": "what is asked for; may be none",
  "2.3 scopeDelimiter": "a blank, a comma or a semicolon; a blank by default",
  "2.3 additionalParams": "more parameters for authorizationUrl, of any value",
  "2.3 tokenPrefix": "before the token in the Authorization header; Bearer by default",
  "2.3 tokenQueryParam": "the query parameter that has the token, in place of the header",
  "2.3 endpointKey": "where the token response has the account's endpoint",
  "2.3 client credentials": "client ID and secret are entered aside and stored safely, not written in the definition",
  "2.4 type": "SetEndpoint",
  "2.4 name": "the step's name",
  "2.4 description": "what the dialog asks",
  "2.4 getOptionsFormula": "gives the endpoints to choose from, each with display and value",
  "2.5 context.fetcher.fetch": "method, url, headers, body; the account's credentials by themselves; a response with a body",
  "2.5 context.endpoint": "the account's endpoint",
  "2.5 context.invocationToken": "new for each execution",
  "4 pack.setUserAuthentication": "switches on accounts of users",
  "4 pack.setSystemAuthentication": "switches on the system's account, with a button to enter it",
  "4 pack.addFormula": "name, execute(params, context), and connectionRequirement over the default",
  "4 sync tables": "connectionRequirement likewise",
  "4 token exchange": "the platform's own request to tokenUrl",
  "4 redirect": "authorizationUrl with the joined scopes and additionalParams",
  "5.1.1": "with user authentication, formulas and sync tables need an account by default",
  "5.1.2": "connectionRequirement changes that; None needs none",
  "5.1.3": "defaultConnectionRequirement None turns the default round; Required opts in",
  "5.1.4": "tokens and passwords are put on requests by themselves",
  "5.1.5": "the user is asked for the token",
  "5.2 HeaderBearerToken": "Authorization: Bearer",
  "5.2 CustomHeaderToken": "the header headerName, with its prefix",
  "5.2 QueryParamToken": "the query parameter paramName",
  "5.3 sign-in": "user name and password are asked for",
  "5.3 request": "Authorization: Basic with both in base64",
  "5.3 uxConfig": "changes what the dialog calls them",
  "5.4.1": "a question for each of params",
  "5.4.2": "values go only where the code puts a placeholder: URL, headers or body",
  "5.4.3": "the placeholder's form: name, hyphen, invocationToken, in double braces",
  "5.4.4": "placeholders become values before the request leaves",
  "5.5.1": "authorizationUrl and tokenUrl must be there",
  "5.5.2": "the authorization code grant",
  "5.5.3": "the redirect address to register is fixed and told",
  "5.5.4": "one client ID and secret for all users, with a button to enter them",
  "5.5.5": "client authentication: the body or HTTP Basic, found without configuration",
  "5.5.6": "providers that keep to OAuth 2.0 in the main",
  "5.5.7": "tokens are stored and refreshed by the platform",
  "5.6.1": "the default label: the user's name",
  "5.6.2": "getConnectionName runs after the credentials, with them, and its value is the label",
  "5.6.3": "an empty value leaves the default label",
  "5.6.4": "recommended: user (endpoint)",
  "5.6.5": "with a SetEndpoint step it runs before and after the choice; the second name stays",
  "5.7.1": "each account has a host of its own, and requests go there",
  "5.7.2": "context.endpoint; relative URLs are put behind it",
  "5.7.3 manual entry": "requiresEndpointUrl, with endpointDomain if wanted; not for OAuth2",
  "5.7.3 token exchange": "endpointKey, for OAuth2",
  "5.7.3 user selection": "postSetup with SetEndpoint",
  "5.7.4": "endpointDomain checks what is entered, network domains what is requested",
  "5.7.5": "the user picks one of the step's options, and it becomes the endpoint",
  "9.1": "a changed configuration takes effect after the next build; then the credential buttons appear",
};

interface NamedTest {
  readonly file: string;
  /** The titles of the suite and the test, without `auth-spec …:`. */
  readonly what: string;
  readonly sections: readonly string[];
}

const NAMED = /^auth-spec ([^:…]+): (.+)$/s;

/** Returns the tests that name sections. Throws if a title begins with auth-spec and its sections cannot be parsed. */
export function namedTests(titles: readonly TestTitle[]): readonly NamedTest[] {
  return titles
    .filter(({ title }) => title.startsWith("auth-spec"))
    .map(({ file, suite, title }) => {
      const [, sections, what = ""] = NAMED.exec(title) ?? [];
      if (sections === undefined) throw new Error(`${file}: “${title}” must read “auth-spec <section>, <section>: what”.`);
      return { file, what: suite === undefined ? what : `${suite}: ${what}`, sections: sections.split(", ") };
    });
}

/** Returns the sections without a test, and the tests that name an unknown section. */
export function missing(tests: readonly NamedTest[]): { readonly gaps: readonly string[]; readonly unknown: readonly string[] } {
  const named = new Set(tests.flatMap(({ sections }) => sections));
  return {
    gaps: Object.keys(SPEC_ROWS).filter((section) => !named.has(section)),
    unknown: tests.flatMap(({ file, sections }) =>
      sections.filter((section) => !Object.hasOwn(SPEC_ROWS, section)).map((section) => `${file}: ${section}`),
    ),
  };
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");

/** Returns the page as Markdown. */
export function specCoverage(tests: readonly NamedTest[]): string {
  const rows = Object.entries(SPEC_ROWS).map(([section, what]) => {
    const sectionTests = tests.filter(({ sections }) => sections.includes(section));
    const list = sectionTests.map(({ file, what: title }) => `[${file.replace(/^.*\//, "")}](../../${file}): ${cell(title)}`).join("<br>");
    return `| ${section} | ${cell(what)} | ${list} | ${sectionTests.length > 0 ? "covered" : "gap"} |`;
  });
  const { gaps } = missing(tests);
  return `<!-- Generated by \`npm run generate\` from the titles of tests. Do not edit. -->
# The authentication specification, and the tests that show it

Every row of the tables and every numbered rule of its sections 1, 2, 4, 5 and 9: ${rows.length} in all, ${gaps.length === 0 ? "none without a test" : `${gaps.length} without a test`}. A test says what it shows in its title:
\`auth-spec <section>, <section>: what\`. What the specification calls “not shown” (9.2, and the allowed values and lifetimes here and there) asks for nothing and has no row. “…” stands for what varies within a test's title.

| section | what | test | status |
|---|---|---|---|
${rows.join("\n")}
`;
}
