// Snippets for the functions of a configuration. getConnectionName returns `user (endpoint)` if an endpoint is chosen, and also works
// before the choice (auth-spec 5.6).
import { fieldValue, isTrue, paramNames, propertyOf } from "../../configuration/config.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";
import { isTypeScript } from "../../modules/paths.ts";
import { memberCode } from "../setup/code.ts";
import { blank, literally } from "./snippet.ts";

/** Returns a snippet for getConnectionName. */
export function connectionName(pack: PackModel, auth: AuthConfig): string {
  const chooses = fieldValue(pack, auth, "postSetup")?.kind === "array";
  const lines = [
    "async function (context) {",
    ...request(pack, auth, "me"),
    ...(chooses
      ? [
          `  const user = response.body.${blank(2, "name")};`,
          "  // Runs twice: before an endpoint is chosen there is none.",
          `  return context.endpoint ? ${literally(`\`\${user} (\${context.endpoint.replace("https://", "")})\``)} : user;`,
        ]
      : [`  return response.body.${blank(2, "name")};`]),
    literally("}"),
  ];
  return lines.join("\n");
}

/**
 * Returns a snippet for getConnectionName with a known URL of the user; `path` is that of the name in the response, and `more` are further
 * lines of the request.
 */
export function connectionNameFrom(url: string, path: readonly string[], stop: number, method?: string, more?: readonly string[]): string {
  const [, point = "", name = ""] = /^(\.?)(.*)$/.exec(memberCode("", path)) ?? [];
  const returned = `  return response.body${point}${blank(stop, name)};`;
  return ["async function (context) {", ...requestTo(url, more, method), returned, literally("}")].join("\n");
}

/** Returns a snippet for a SetEndpoint step's getOptions. */
export function endpointOptions(pack: PackModel, auth: AuthConfig): string {
  const option = `({ display: site.${blank(3, "name")}, value: site.${blank(4, "url")} })`;
  // The items of a response body have no declared type.
  const site = isTypeScript(auth.config.place.file) ? "site: any" : "site";
  return [
    "async function (context) {",
    ...request(pack, auth, "sites"),
    `  return response.body.${blank(2, "sites")}.map((${site}) => ${option});`,
    literally("}"),
  ].join("\n");
}

function request(pack: PackModel, auth: AuthConfig, path: string): readonly string[] {
  return requestTo(url(pack, auth, path), placeholderHeader(pack, auth));
}

function requestTo(url: string, more: readonly string[] = [], method = "GET"): readonly string[] {
  return [
    "  const response = await context.fetcher.fetch({",
    `    method: "${method}",`,
    `    url: "${url}",`,
    ...more,
    literally("  });"),
  ];
}

/**
 * Returns a URL on a declared domain that gets the credentials, or a relative one if the platform prepends the endpoint. Otherwise the
 * author must fill in the host.
 */
function url(pack: PackModel, auth: AuthConfig, path: string): string {
  const chosen = fieldValue(pack, auth, "networkDomain");
  const first = chosen?.kind === "array" ? chosen.items[0] && pack.resolve(chosen.items[0]) : chosen;
  const domain = first?.kind === "string" && first.value !== "" ? first.value : pack.domains.declared[0]?.value;
  if (isTrue(pack, auth, "requiresEndpointUrl") || propertyOf(auth.config, "endpointKey") !== undefined) return `/${blank(1, path)}`;
  return domain === undefined ? `https://${blank(1)}` : `https://${literally(domain)}/${blank(1, path)}`;
}

/** The values of Custom params appear in a request only if the code places them. */
function placeholderHeader(pack: PackModel, auth: AuthConfig): readonly string[] {
  const [name] = auth.type === "Custom" ? paramNames(pack, auth) : [];
  if (name === undefined) return [];
  return [`    headers: { "X-API-Key": ${literally(`\`{{${name}-\${context.invocationToken}}}\``)} ${literally("}")},`];
}
