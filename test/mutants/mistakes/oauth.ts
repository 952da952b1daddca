// What OAuth2 asks for: URLs, scopes, PKCE, and what known providers want.
import { ts } from "ts-morph";
import { providersOfHost, refreshTokenAsk } from "../../../spec/providers.ts";
import { initializerOf, type Setter } from "../pack-syntax.ts";
import { around, isSpread, type Mistake, type Mistakes, over, withField, without } from "./mistake.ts";

export const oauthMistakes: Mistakes = function* ({ setters }, source) {
  for (const setter of setters) {
    if (!/^OAuth2/.test(setter.type) || isSpread(setter)) continue;
    const { object } = setter;
    const isDynamic = setter.field("useDynamicClientRegistration") !== undefined;
    const isCode = setter.type === "OAuth2";
    for (const name of ["authorizationUrl", "tokenUrl"] as const) {
      const property = setter.field(name);
      const value = initializerOf(property);
      if (property === undefined || value === undefined) continue;
      if (!isDynamic) {
        const edit = without(property, source);
        yield {
          mistake: `no ${name}`,
          rules: [name === "tokenUrl" ? "oauth2-missing-token-url" : "oauth2-missing-authorization-url"],
          edit,
          where: around(setter, edit),
        };
      }
      if (!ts.isStringLiteral(value)) continue;
      const bare = value.text.replace(/^https:\/\//, "");
      const form = ["oauth2-url-form", "url-invalid", "url-insecure"];
      yield { mistake: "OAuth URL without a scheme", rules: form, edit: over(value, JSON.stringify(bare)) };
      yield { mistake: "OAuth URL by http", rules: form, edit: over(value, JSON.stringify(`http://${bare}`)) };
      yield { mistake: "OAuth URL with // alone", rules: form, edit: over(value, JSON.stringify(`//${bare}`)) };
      yield { mistake: "OAuth URL that is none", rules: form, edit: over(value, '"https://"') };
      yield {
        mistake: "OAuth URL left from a template",
        rules: ["url-placeholder"],
        edit: over(value, '"https://YOUR_DOMAIN.example.com/oauth"'),
      };
      const authorization = initializerOf(setter.field("authorizationUrl"));
      if (name === "tokenUrl" && authorization !== undefined && ts.isStringLiteral(authorization))
        yield {
          mistake: "the authorization URL as the token URL",
          rules: ["oauth2-same-urls"],
          edit: over(value, authorization.getText()),
        };
      if (name === "authorizationUrl" && !value.text.includes("?")) {
        yield {
          mistake: "a query in authorizationUrl",
          rules: ["oauth2-url-query"],
          edit: over(value, JSON.stringify(`${value.text}?prompt=login`)),
        };
        yield {
          mistake: "state in authorizationUrl",
          rules: ["oauth2-reserved-param"],
          edit: over(value, JSON.stringify(`${value.text}?state=1`)),
        };
        yield {
          mistake: "an answer by POST",
          rules: ["oauth2-response-mode"],
          edit: over(value, JSON.stringify(`${value.text}?response_mode=form_post`)),
        };
        yield {
          mistake: "implicit grant",
          rules: ["oauth2-grant-unsupported"],
          edit: over(value, JSON.stringify(`${value.text}?response_type=token`)),
        };
      }
    }
    yield {
      mistake: "client secret in the source",
      rules: ["oauth2-secret-in-source", "field-unknown"],
      edit: withField(object, 'clientSecret: "d41d8cd98f"'),
    };
    if (setter.field("scopeDelimiter") === undefined)
      yield {
        mistake: "a delimiter that there is not",
        rules: ["oauth2-scope-delimiter", "field-type"],
        edit: withField(object, 'scopeDelimiter: "|"'),
      };
    const scopes = initializerOf(setter.field("scopes"));
    if (scopes && ts.isArrayLiteralExpression(scopes)) {
      const [first, second] = scopes.elements;
      if (first && ts.isStringLiteral(first))
        yield { mistake: "a space behind a scope", rules: ["oauth2-scope-joined"], edit: over(first, JSON.stringify(`${first.text} `)) };
      const delimiter = initializerOf(setter.field("scopeDelimiter"))?.getText().slice(1, -1) ?? " ";
      if (first && ts.isStringLiteral(first)) {
        yield {
          mistake: "a scope twice",
          rules: ["oauth2-scope-duplicate"],
          edit: { start: first.end, end: first.end, text: `, ${first.getText()}` },
          where: { start: scopes.getStart(), end: scopes.end + first.getText().length + 2 },
        };
        if (second && ts.isStringLiteral(second))
          yield {
            mistake: "scopes joined",
            rules: ["oauth2-scope-joined"],
            edit: { start: first.getStart(), end: second.end, text: JSON.stringify(first.text + delimiter + second.text) },
          };
      }
    }
    if (!isCode) continue;
    yield* providerMistakes(setter, source);
    if (setter.field("additionalParams") === undefined)
      yield {
        mistake: "client_id in additionalParams",
        rules: ["oauth2-reserved-param"],
        edit: withField(object, 'additionalParams: { client_id: "abc" }'),
      };
    if (setter.field("tokenPrefix") === undefined && setter.field("tokenQueryParam") === undefined)
      yield {
        mistake: "token in two places",
        rules: ["oauth2-token-carrier"],
        edit: withField(object, 'tokenPrefix: "Token", tokenQueryParam: "token"'),
      };
    if (setter.field("tokenPrefix") === undefined && setter.field("tokenQueryParam") === undefined) {
      yield { mistake: "prefix with a colon", rules: ["token-prefix-form"], edit: withField(object, 'tokenPrefix: "Bearer: "') };
      yield { mistake: "prefix with a space", rules: ["token-prefix-form"], edit: withField(object, 'tokenPrefix: "Bearer "') };
    }
    if (setter.field("useProofKeyForCodeExchange") === undefined && !isDynamic)
      yield { mistake: "PKCE method without PKCE", rules: ["oauth2-pkce-method"], edit: withField(object, 'pkceChallengeMethod: "S256"') };
    if (setter.field("requiresEndpointUrl") === undefined && setter.field("endpointKey") === undefined && !isDynamic)
      yield {
        mistake: "typed endpoint with OAuth2",
        rules: ["oauth2-manual-endpoint"],
        edit: withField(object, "requiresEndpointUrl: true"),
      };
  }
};

/** What only shows at a provider that is known: another's token URL, a refresh token that is not asked for. */
function* providerMistakes(setter: Setter, source: string): Iterable<Mistake> {
  const signIn = initializerOf(setter.field("authorizationUrl"));
  const token = initializerOf(setter.field("tokenUrl"));
  if (!signIn || !token || !ts.isStringLiteral(signIn) || !URL.canParse(signIn.text)) return;
  const { host } = new URL(signIn.text);
  const [provider] = providersOfHost(host);
  if (provider !== undefined) {
    const other = provider.id === "gitlab" ? "https://github.com/login/oauth/access_token" : "https://gitlab.com/oauth/token";
    yield { mistake: "another provider's token URL", rules: ["oauth2-provider-mismatch"], edit: over(token, JSON.stringify(other)) };
  }
  const ask = refreshTokenAsk({ authorizationUrl: signIn.text });
  const params = setter.field("additionalParams");
  if (ask?.params !== undefined && params !== undefined && ask.params.every(({ name }) => params.getText().includes(name)))
    yield { mistake: "no refresh token asked for", rules: ["oauth2-no-refresh-token"], edit: without(params, source), on: [signIn] };
  const scopes = initializerOf(setter.field("scopes"));
  const offline =
    scopes && ts.isArrayLiteralExpression(scopes) ? scopes.elements.find((scope) => isOneOf(scope, ask?.scopes ?? [])) : undefined;
  if (offline !== undefined)
    yield { mistake: "no scope for a refresh token", rules: ["oauth2-no-refresh-token"], edit: over(offline, '"another"'), on: [signIn] };
}

const isOneOf = (node: ts.Node, texts: readonly string[]): boolean => ts.isStringLiteral(node) && texts.includes(node.text);
