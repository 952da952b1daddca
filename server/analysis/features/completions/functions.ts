// The functions of a configuration, as they should be written: getConnectionName reads `user (endpoint)` where an endpoint is chosen,
// and works before the choice too (auth-spec 5.6).
import { fieldValue, isTrue, paramNames, propertyOf } from "../../configuration/config.ts";
import type { AuthConfig, PackModel } from "../../model/pack.ts";
import { isTypeScript } from "../../modules/paths.ts";
import { blank, literally } from "./snippet.ts";

/** A snippet for getConnectionName. */
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

/** The same, of an account whose API is known. */
export function connectionNameFrom(url: string, stop: number): string {
  return ["async function (context) {", ...requestTo(url), `  return response.body.${blank(stop, "name")};`, literally("}")].join("\n");
}

/** A snippet for a SetEndpoint step's getOptions. */
export function endpointOptions(pack: PackModel, auth: AuthConfig): string {
  const option = `({ display: site.${blank(3, "name")}, value: site.${blank(4, "url")} })`;
  // What comes in a body has no type.
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

function requestTo(url: string, more: readonly string[] = []): readonly string[] {
  return ["  const response = await context.fetcher.fetch({", '    method: "GET",', `    url: "${url}",`, ...more, literally("  });")];
}

/** On a declared domain that gets the credentials, or relative where the endpoint is put before it; else the author's to say. */
function url(pack: PackModel, auth: AuthConfig, path: string): string {
  const chosen = fieldValue(pack, auth, "networkDomain");
  const first = chosen?.kind === "array" ? chosen.items[0] && pack.resolve(chosen.items[0]) : chosen;
  const domain = first?.kind === "string" && first.value !== "" ? first.value : pack.domains.declared[0]?.value;
  if (isTrue(pack, auth, "requiresEndpointUrl") || propertyOf(auth.config, "endpointKey") !== undefined) return `/${blank(1, path)}`;
  return domain === undefined ? `https://${blank(1)}` : `https://${literally(domain)}/${blank(1, path)}`;
}

/** Values of Custom params are put nowhere unless the request says so. */
function placeholderHeader(pack: PackModel, auth: AuthConfig): readonly string[] {
  const [name] = auth.type === "Custom" ? paramNames(pack, auth) : [];
  if (name === undefined) return [];
  return [`    headers: { "X-API-Key": ${literally(`\`{{${name}-\${context.invocationToken}}}\``)} ${literally("}")},`];
}
