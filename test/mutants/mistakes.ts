// The mistakes that the catalogue names, each made wherever a pack gives the occasion for it.
import { ts } from "ts-morph";
import type { Span } from "../../server/analysis/model.ts";
import { AUTH_TYPES, fieldsOf, isAuthTypeName } from "../../spec/auth-types.ts";
import { providersOfHost, refreshTokenAsk } from "../../spec/providers.ts";
import type { BasePack } from "./corpus.ts";
import type { Mutant } from "./mutant.ts";
import { fieldOf, initializerOf, type PackSyntax, readPackSyntax, type Setter } from "./pack-syntax.ts";

/** One mistake, in a file: an edit, where the finding is expected, and the rules that may say it. */
interface Made {
  readonly mistake: string;
  readonly rules: readonly string[];
  readonly edit: Span & { readonly text: string };
  /** In the changed text; by default what was written. */
  readonly where?: Span;
  /** Instead: in the text as it was, what the finding may stand on; none where that is in another file. */
  readonly on?: readonly ts.Node[];
}

type Mistakes = (syntax: PackSyntax, text: string) => Iterable<Made>;

export function mutantsOf(base: BasePack): readonly Mutant[] {
  const syntax = readPackSyntax(base.file, base.text);
  const mutants: Mutant[] = [];
  for (const mistakes of [
    shapeMistakes,
    oauthMistakes,
    endpointMistakes,
    placeholderMistakes,
    nameMistakes,
    domainMistakes,
    requestMistakes,
  ])
    for (const { where, on, ...made } of mistakes(syntax, base.text)) {
      const { edit } = made;
      const moved = on?.map((node) => moveBy(spanOf(node), edit));
      const spans = moved ?? [where ?? { start: edit.start, end: edit.start + edit.text.length }];
      mutants.push({ base, ...made, where: spans.length === 0 ? undefined : spans });
    }
  return mutants;
}

/** Where a span is after the edit. */
function moveBy({ start, end }: Span, edit: Span & { text: string }): Span {
  const by = edit.text.length - (edit.end - edit.start);
  return { start: start >= edit.end ? start + by : start, end: end >= edit.end ? end + by : end };
}

const spanOf = (node: ts.Node): Span => ({ start: node.getStart(), end: node.end });

/** Anything about the setter: its name, its object. */
const around = (setter: Setter, edit: Span & { text: string }): Span => ({
  start: setter.name.getStart(),
  end: setter.object.end + edit.text.length - (edit.end - edit.start),
});

const over = (node: ts.Node, text: string): Span & { text: string } => ({ ...spanOf(node), text });

/** Without the property and the comma behind it. */
function without(property: ts.Node, source: string): Span & { text: string } {
  const end = /^\s*,/.exec(source.slice(property.end))?.[0].length ?? 0;
  return { start: property.getStart(), end: property.end + end, text: "" };
}

/** As the object's first property. */
const withField = (object: ts.ObjectLiteralExpression, field: string): Span & { text: string } => ({
  start: object.getStart() + 1,
  end: object.getStart() + 1,
  text: ` ${field},${object.properties.length === 0 ? "" : " "}`,
});

/** Two letters in the middle change places. */
function misspell(name: string): string {
  const middle = Math.max(1, Math.floor(name.length / 2) - 1);
  for (let at = middle; at < name.length - 1; at++)
    if (name[at] !== name[at + 1]) return name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2);
  return `${name}x`;
}

const own = (setter: Setter): boolean => isAuthTypeName(setter.type) && !AUTH_TYPES[setter.type].hidden;

const isSpread = (setter: Setter): boolean => setter.object.properties.some(ts.isSpreadAssignment);

const shapeMistakes: Mistakes = function* ({ setters, executes }, source) {
  for (const setter of setters) {
    if (!own(setter) || isSpread(setter)) continue;
    const { object, name, call } = setter;
    const type = setter.field("type");
    if (type === undefined || !isAuthTypeName(setter.type)) continue;
    const typeValue = initializerOf(type);
    const scope = name.text === "setUserAuthentication" ? ("user" as const) : ("system" as const);
    const fields = fieldsOf(setter.type, scope);

    const noType = without(type, source);
    yield { mistake: "no type", rules: ["auth-type-missing"], edit: noType, where: around(setter, noType) };
    if (typeValue) {
      const prefix = typeValue.getText().slice(0, -setter.type.length);
      yield { mistake: "type misspelt", rules: ["auth-type-unknown"], edit: over(typeValue, prefix + misspell(setter.type)) };
      yield { mistake: "type as a text that is none", rules: ["auth-type-unknown"], edit: over(typeValue, '"Bearer"') };
      for (const other of ["HeaderBearerToken", "CustomHeaderToken", "QueryParamToken", "Custom", "MultiHeaderToken", "OAuth2"] as const) {
        if (other === setter.type || (other === "OAuth2" && scope === "system")) continue;
        const otherFields = fieldsOf(other, scope).map((field) => field.name);
        const misplaced = object.properties.some((property) => !otherFields.includes(property.name?.getText() ?? ""));
        const missing = fieldsOf(other, scope).some(
          (field) => field.required && field.name !== "type" && setter.field(field.name) === undefined,
        );
        if (!misplaced && !missing && other !== "OAuth2") continue;
        const edit = over(typeValue, prefix + other);
        const rules = [
          "field-not-for-type",
          "field-missing",
          "oauth2-missing-token-url",
          "oauth2-missing-authorization-url",
          "field-unknown",
          "field-empty",
          "endpoint-key-not-oauth2",
        ];
        yield { mistake: `type swapped for ${other}`, rules, edit, where: around(setter, edit) };
      }
    }
    if (scope === "user" && !AUTH_TYPES[setter.type].system)
      yield {
        mistake: "set for the system",
        rules: ["auth-type-not-allowed"],
        edit: over(name, "setSystemAuthentication"),
        where: { start: name.getStart(), end: object.end + 2 },
      };
    const twice = call.parent;
    if (ts.isExpressionStatement(twice) && ts.isSourceFile(twice.parent)) {
      const edit = { start: twice.end, end: twice.end, text: `\n${twice.getText()}` };
      yield {
        mistake: "set twice",
        rules: ["auth-set-twice"],
        edit,
        where: { start: twice.getStart(), end: twice.end + edit.text.length },
      };
      for (const { body } of executes.slice(0, 1))
        yield {
          mistake: "set while a formula runs",
          rules: ["auth-set-late"],
          edit: { start: body.getStart() + 1, end: body.getStart() + 1, text: ` ${call.expression.getText()}({ ${type.getText()} });` },
        };
    }
    for (const property of object.properties) {
      const { name: fieldName } = property;
      if (fieldName === undefined || fieldName.getText() === "type" || ts.isShorthandPropertyAssignment(property)) continue;
      const spec = fields.find((field) => field.name === fieldName.getText());
      if (spec === undefined) continue;
      yield { mistake: "field misspelt", rules: ["field-unknown"], edit: over(fieldName, misspell(spec.name)) };
      if (spec.name === "uxConfig") yield { mistake: "uxOptions", rules: ["field-unknown"], edit: over(fieldName, "uxOptions") };
      if (spec.required) {
        const edit = without(property, source);
        yield {
          mistake: "required field left out",
          rules: ["field-missing", "oauth2-missing-token-url", "oauth2-missing-authorization-url"],
          edit,
          where: around(setter, edit),
        };
      }
      const value = initializerOf(property);
      if (value === undefined) continue;
      const wrong = WRONG[spec.kind];
      if (wrong !== undefined) yield { mistake: `${spec.kind} of a wrong kind`, rules: ["field-type"], edit: over(value, wrong) };
      if (["headerName", "paramName", "tokenUrl", "authorizationUrl"].includes(spec.name))
        yield { mistake: "empty", rules: ["field-empty"], edit: over(value, '""') };
      if (spec.name === "headerName") {
        yield { mistake: "header with a blank", rules: ["header-name-invalid"], edit: over(value, '"X Key"') };
        yield { mistake: "header of the platform", rules: ["header-name-invalid"], edit: over(value, '"Host"') };
      }
      if ((spec.name === "params" || spec.name === "headers") && ts.isArrayLiteralExpression(value)) {
        const [first] = value.elements;
        if (first) {
          const edit = { start: first.end, end: first.end, text: `, ${first.getText()}` };
          yield {
            mistake: "a name twice",
            rules: ["param-name-invalid"],
            edit,
            where: { start: value.getStart(), end: value.end + edit.text.length },
          };
        }
        if (setter.type !== "Custom") yield { mistake: "an empty list", rules: ["field-empty"], edit: over(value, "[]") };
      }
      if (spec.name === "instructionsUrl") yield { mistake: "no URL", rules: ["url-invalid"], edit: over(value, '"see the settings"') };
    }
    if (!fields.some((field) => field.name === "headerName"))
      yield { mistake: "field of another type", rules: ["field-not-for-type"], edit: withField(object, 'headerName: "X-Key"') };
    if (!fields.some((field) => field.name === "tokenUrl"))
      yield {
        mistake: "field of another type",
        rules: ["field-not-for-type"],
        edit: withField(object, 'tokenUrl: "https://example.net/token"'),
      };
    yield { mistake: "field that no type has", rules: ["field-unknown"], edit: withField(object, 'apiKey: "x"') };
    if (scope === "user" && setter.field("defaultConnectionRequirement") === undefined) {
      yield {
        mistake: "requirement that there is not",
        rules: ["requirement-unknown"],
        edit: withField(
          object,
          `defaultConnectionRequirement: ${typeValue?.getText().split("AuthenticationType")[0] ?? ""}ConnectionRequirement.Always`,
        ),
      };
    }
  }
};

const WRONG: Readonly<Record<string, string>> = {
  stringArray: '"all"',
  objectArray: '{ name: "a" }',
  boolean: '"true"',
  url: "1",
  string: "[1]",
  record: '"a"',
  object: "[]",
  function: '"name"',
};

const oauthMistakes: Mistakes = function* ({ setters }, source) {
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
function* providerMistakes(setter: Setter, source: string): Iterable<Made> {
  const signIn = initializerOf(setter.field("authorizationUrl"));
  const token = initializerOf(setter.field("tokenUrl"));
  if (!signIn || !token || !ts.isStringLiteral(signIn) || !URL.canParse(signIn.text)) return;
  const { host } = new URL(signIn.text);
  const [provider] = providersOfHost(host);
  if (provider !== undefined) {
    const other = provider.id === "gitlab" ? "https://github.com/login/oauth/access_token" : "https://gitlab.com/oauth/token";
    yield { mistake: "another provider's token URL", rules: ["oauth2-provider-mismatch"], edit: over(token, JSON.stringify(other)) };
  }
  const ask = refreshTokenAsk(host, signIn.text);
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

const endpointMistakes: Mistakes = function* ({ setters, domains, fetches, source: tree }, source) {
  for (const setter of setters) {
    if (!own(setter) || isSpread(setter)) continue;
    const { object } = setter;
    const requires = setter.field("requiresEndpointUrl");
    const steps = initializerOf(setter.field("postSetup"));
    const endpointDomain = initializerOf(setter.field("endpointDomain"));
    if (setter.type !== "OAuth2")
      yield { mistake: "endpointKey without OAuth2", rules: ["endpoint-key-not-oauth2"], edit: withField(object, 'endpointKey: "site"') };
    if (endpointDomain && ts.isStringLiteral(endpointDomain)) {
      yield {
        mistake: "scheme in endpointDomain",
        rules: ["endpoint-domain-form"],
        edit: over(endpointDomain, JSON.stringify(`https://${endpointDomain.text}`)),
      };
      yield {
        mistake: "wildcard in endpointDomain",
        rules: ["endpoint-domain-form"],
        edit: over(endpointDomain, JSON.stringify(`*.${endpointDomain.text}`)),
      };
      yield {
        mistake: "path in endpointDomain",
        rules: ["endpoint-domain-form"],
        edit: over(endpointDomain, JSON.stringify(`${endpointDomain.text}/api`)),
      };
      if (domains.length > 0)
        yield {
          mistake: "endpointDomain elsewhere",
          rules: ["endpoint-domain-undeclared"],
          edit: over(endpointDomain, JSON.stringify(`not${endpointDomain.text}`)),
        };
    } else if (
      requires === undefined &&
      steps === undefined &&
      domains[0] &&
      domains.length === 1 &&
      setter.field("endpointKey") === undefined
    )
      yield {
        mistake: "endpointDomain without an endpoint",
        rules: ["endpoint-domain-unused"],
        edit: withField(object, `endpointDomain: ${domains[0].literal.getText()}`),
      };
    const uses = /\bcontext\.endpoint\b(?!\s*[?)])/.test(source) || fetches.some(({ url }) => url?.text.startsWith("/"));
    if (requires && setters.length === 1 && uses && setter.field("endpointKey") === undefined && setter.field("postSetup") === undefined) {
      const edit = without(requires, source);
      yield { mistake: "no source of the endpoint", rules: ["endpoint-without-source"], edit, on: endpointUses(tree, fetches) };
    }
    if (steps && ts.isArrayLiteralExpression(steps)) {
      const [step] = steps.elements;
      if (requires === undefined)
        yield {
          mistake: "two sources of the endpoint",
          rules: ["endpoint-several-sources", "oauth2-manual-endpoint"],
          edit: withField(object, "requiresEndpointUrl: true"),
          where: { start: object.getStart(), end: object.end + 30 },
        };
      if (step && ts.isObjectLiteralExpression(step)) {
        for (const property of step.properties) {
          const edit = without(property, source);
          yield {
            mistake: `step without ${property.name?.getText()}`,
            rules: ["set-endpoint-incomplete"],
            edit,
            where: { start: step.getStart(), end: step.end },
          };
        }
        const options = fieldOf(step, "getOptions");
        if (options?.name)
          yield { mistake: "getOptionsFormula", rules: ["field-deprecated"], edit: over(options.name, "getOptionsFormula") };
      }
      const guard = findGuard(tree);
      if (guard) {
        const edit = { ...spanOf(guard), text: "" };
        yield { mistake: "no guard before the choice", rules: ["endpoint-before-selection"], edit, where: around(setter, edit) };
      }
      if (
        setters.length === 1 &&
        requires === undefined &&
        setter.field("endpointKey") === undefined &&
        fetches.some(({ url }) => url?.text.startsWith("/"))
      ) {
        const property = setter.field("postSetup");
        if (property)
          yield {
            mistake: "no source of the endpoint",
            rules: ["endpoint-without-source"],
            edit: without(property, source),
            on: endpointUses(tree, fetches),
          };
      }
    }
  }
};

/** `if (!context.endpoint) { return …; }`. */
function findGuard(source: ts.SourceFile): ts.IfStatement | undefined {
  let found: ts.IfStatement | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isIfStatement(node) && /^!\s*context\.endpoint$/.test(node.expression.getText())) found ??= node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Where something is made of the endpoint: its uses, and relative URLs. */
function endpointUses(source: ts.SourceFile, fetches: PackSyntax["fetches"]): readonly ts.Node[] {
  const uses: ts.Node[] = fetches.flatMap(({ url }) => (url?.text.startsWith("/") ? [url] : []));
  const visit = (node: ts.Node): void => {
    // The use itself, or the local name that stands for it.
    if (ts.isIdentifier(node) && node.text === "endpoint") uses.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

/** The literals, and pieces of templates, with the text. */
function literalsWith(source: ts.SourceFile, text: string): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && node.getText().includes(text)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const placeholderMistakes: Mistakes = function* ({ setters, source: tree }, source) {
  const custom = setters.find((setter) => setter.type === "Custom");
  // In the file of the authentication, and in others: a placeholder by template or sum.
  const shapes = [...source.matchAll(/\{\{(\w[\w.-]*)-("\s*\+\s*[\w.]+\s*\+\s*"|\$\{[\w.]+\})\}\}/g)];
  for (const match of shapes) {
    const [whole, name = "", token = ""] = match;
    const at = { start: match.index, end: match.index + whole.length };
    const broken = (mistake: string, text: string, rules = ["placeholder-malformed"]): Made => ({ mistake, rules, edit: { ...at, text } });
    yield broken("placeholder misspelt", `{{${misspell(name)}-${token}}}`, ["placeholder-undeclared"]);
    yield broken("placeholder of one brace", `{${name}-${token}}`);
    yield broken("placeholder that is not closed", `{{${name}-${token}}`);
    yield broken("placeholder with blanks", `{{ ${name}-${token} }}`);
    yield broken("placeholder with another sign", `{{${name}_${token}}}`);
    yield broken("placeholder without the token", `{{${name}}}`);
    yield broken("placeholder with a word for the token", `{{${name}-invocationToken}}`);
  }
  if (custom === undefined) return;
  const params = initializerOf(custom.field("params"));
  if (params === undefined || !ts.isArrayLiteralExpression(params)) return;
  yield {
    mistake: "param that nobody uses",
    rules: ["custom-param-unused"],
    edit: { start: params.getStart() + 1, end: params.getStart() + 1, text: ' { name: "unused_one", description: "" },' },
  };
  const typeValue = initializerOf(custom.field("type"));
  if (typeValue && shapes.length > 0) {
    const edit = over(typeValue, typeValue.getText().replace(/Custom$/, "WebBasic"));
    yield { mistake: "placeholders without Custom", rules: ["placeholder-wrong-type"], edit, on: literalsWith(tree, "{{") };
  }
  for (const entry of params.elements) {
    const name = ts.isObjectLiteralExpression(entry) ? initializerOf(fieldOf(entry, "name")) : undefined;
    if (name && ts.isStringLiteral(name) && source.includes(`{{${name.text}-`))
      yield {
        mistake: "param renamed in the declaration alone",
        rules: ["placeholder-undeclared"],
        edit: over(name, JSON.stringify(`${name.text}_2`)),
        on: literalsWith(tree, `{{${name.text}-`),
      };
  }
};

const nameMistakes: Mistakes = function* ({ setters }, source) {
  for (const setter of setters) {
    const property = setter.field("getConnectionName");
    const value = property && ts.isMethodDeclaration(property) ? property : initializerOf(property);
    if (
      property?.name === undefined ||
      value === undefined ||
      !(ts.isFunctionExpression(value) || ts.isArrowFunction(value) || ts.isMethodDeclaration(value))
    )
      continue;
    const { body } = value;
    if (body === undefined || !ts.isBlock(body)) continue;
    const returns: ts.ReturnStatement[] = [];
    const awaits: ts.AwaitExpression[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isReturnStatement(node)) returns.push(node);
      if (ts.isAwaitExpression(node)) awaits.push(node);
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    ts.forEachChild(body, visit);
    const [only] = returns;
    const name = spanOf(property.name);
    if (only && returns.length === 1)
      yield { mistake: "name not returned", rules: ["connection-name-value"], edit: { ...spanOf(only), text: "" }, where: name };
    if (only?.expression && returns.length === 1)
      yield { mistake: "the same name always", rules: ["connection-name-value"], edit: over(only.expression, '"Account"'), where: name };
    for (const awaited of awaits) {
      const variable = awaited.parent;
      const isRead =
        ts.isVariableDeclaration(variable) &&
        ts.isIdentifier(variable.name) &&
        new RegExp(`\\b${variable.name.text}\\.`).test(body.getText());
      if (isRead) yield { mistake: "await forgotten", rules: ["connection-name-value"], edit: over(awaited, awaited.expression.getText()) };
    }
    const async = value.modifiers?.find(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
    if (async) {
      const plain = `${source.slice(async.end, body.getStart()).trimStart()}{ return "x" + ${value.parameters[0]?.name.getText() ?? '"y"'}.endpoint; }`;
      const edit = { start: async.getStart(), end: value.end, text: plain };
      yield {
        mistake: "name without a promise",
        rules: ["connection-name-not-async"],
        edit,
        where: { start: property.getStart(), end: property.getStart() + plain.length },
      };
    }
  }
};

const domainMistakes: Mistakes = function* ({ setters, domains, fetches }) {
  const [setter] = setters;
  const [domain] = domains;
  if (setter === undefined || domain === undefined || domains.length !== 1 || isSpread(setter)) return;
  const { literal, statement } = domain;
  const needsDomain = setter.field("requiresEndpointUrl") === undefined || setter.field("endpointDomain") !== undefined;
  if (needsDomain) {
    const edit = { ...spanOf(statement), text: "" };
    yield { mistake: "no network domain", rules: ["network-domain-missing"], edit, on: setters.map(({ call }) => call) };
  }
  yield {
    mistake: "scheme in a network domain",
    rules: ["network-domain-form"],
    edit: over(literal, JSON.stringify(`https://${literal.text}`)),
  };
  yield { mistake: "path in a network domain", rules: ["network-domain-form"], edit: over(literal, JSON.stringify(`${literal.text}/v1`)) };
  yield {
    mistake: "wildcard in a network domain",
    rules: ["network-domain-form"],
    edit: over(literal, JSON.stringify(`*.${literal.text}`)),
  };
  yield { mistake: "empty network domain", rules: ["network-domain-form"], edit: over(literal, '""') };
  if (setter.field("networkDomain") === undefined) {
    const edit = { start: statement.end, end: statement.end, text: `\n${statement.getText().replace(literal.getText(), '"other.org"')}` };
    yield {
      mistake: "two domains, none chosen",
      rules: ["network-domain-choice", "coda-token-domain"],
      edit,
      on: [statement, ...setters.map(({ call }) => call)],
    };
    yield {
      mistake: "chosen domain that is not declared",
      rules: ["network-domain-unmatched"],
      edit: withField(setter.object, `networkDomain: "api.${literal.text}"`),
    };
  }
  for (const { url } of fetches) {
    if (url === undefined || !url.text.startsWith("https://")) continue;
    yield {
      mistake: "another host fetched",
      rules: ["fetch-host-undeclared"],
      edit: over(url, url.getText().replace(/https:\/\/[^/"'?]+/, "https://api.undeclared.org")),
    };
    yield {
      mistake: "a host that only ends alike",
      rules: ["fetch-host-undeclared"],
      edit: over(url, url.getText().replace(/https:\/\/[^/"'?]+/, `https://not${literal.text}`)),
    };
    yield { mistake: "fetched by http", rules: ["url-insecure"], edit: over(url, url.getText().replace("https:", "http:")) };
  }
};

const requestMistakes: Mistakes = function* ({ setters, fetches, domains }, source) {
  const [setter] = setters;
  for (const { call, request, url } of fetches) {
    if (url === undefined || fieldOf(request, "headers") !== undefined) continue;
    yield {
      mistake: "a token in the source",
      rules: ["credential-in-source"],
      edit: withField(request, `headers: { "X-Token": "${TOKEN}" }`),
    };
    yield {
      mistake: "a literal Authorization",
      rules: ["credential-in-source"],
      edit: withField(request, 'headers: { Authorization: "Bearer 9f86d081884c7d65" }'),
    };
    const context = call.expression.getText().replace(/\.?fetcher\.fetch$/, "");
    if (/^\w+$/.test(context))
      yield {
        mistake: "the invocation token as a credential",
        rules: ["invocation-token-as-secret"],
        edit: withField(request, `headers: { Authorization: "Bearer " + ${context}.invocationToken }`),
      };
    const header = setter === undefined || setters.length !== 1 ? undefined : carrierOf(setter);
    const isOpen = /connectionRequirement|disableAuthentication|requiresEndpointUrl|postSetup|networkDomain:/.test(source);
    if (header !== undefined && !isOpen && domains.length === 1)
      yield {
        mistake: "the platform's own header set",
        rules: ["fetch-sets-credential"],
        edit: withField(request, `headers: { ${JSON.stringify(header)}: token() }`),
      };
  }
};

/** Put together, so that no scanner of sources takes it for a leak. */
const TOKEN = ["ghp", "q7Zr2Lx9Kd4Wm8Tb3Vf6Hc1Ns5Py0JgRtUaE"].join("_");

function carrierOf(setter: Setter): string | undefined {
  if (setter.type === "CustomHeaderToken") {
    const name = initializerOf(setter.field("headerName"));
    return name && ts.isStringLiteral(name) ? name.text : undefined;
  }
  const inHeader = /^(?:HeaderBearerToken|WebBasic|OAuth2)$/.test(setter.type) && setter.field("tokenQueryParam") === undefined;
  return inHeader ? "Authorization" : undefined;
}
