import { closest } from "../../../base/closest.ts";
import { isLoopback } from "../../../base/is-loopback.ts";
import { describeToolkit } from "../../../protocol/verdict.ts";
import { MCP_SERVER_FIELDS } from "../../../spec/mcp-server.ts";
import { fix, nameOf, propertyOf, propose, removal, respell, unsureField } from "../configuration/config.ts";
import { hasNoEndpointForServers } from "../configuration/endpoint-source.ts";
import { declaredHosts } from "../domains/hosts.ts";
import { hostOf } from "../domains/url-value.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, ObjectValue, Property, Value } from "../model/values.ts";
import { pack, rule } from "../rule.ts";
import { insertProperty, quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "mcp-server-url",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.12.5",
  source: "SDK 6",
  docs: `The address of an MCP server is missing or has the wrong form.

The platform rejects the pack at upload. \`endpointUrl\` is an https URL, or a path such as \`/mcp\` that is resolved against the account's endpoint. A path needs an authentication with an endpoint: \`requiresEndpointUrl\`, \`endpointKey\` or a SetEndpoint step. A server has the fields \`name\` and \`endpointUrl\`, and those that the installed Packs SDK declares. Without an installed one, another field is a warning.

A URL that ends in \`/sse\` is only information. It usually belongs to the old HTTP+SSE transport, and the platform uses Streamable HTTP.`,
  examples: [
    {
      bad: pack`pack.addMCPServer({ name: "Tools", endpointUrl: «"http://mcp.acme.example/"» });`,
      fixed: pack`pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/" });`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        pack.addMCPServer({ name: "Tools", endpointUrl: «"/mcp"» });`,
      change: ['"/mcp"', '"https://acme.example/mcp"'],
      good: [" }", ", requiresEndpointUrl: true }"],
    },
    {
      bad: pack`pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/", «headers»: {} });`,
      fixed: pack`pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/" });`,
      toolkit: "installed",
    },
    {
      bad: pack`pack.addMCPServer({ name: "Tools", «url»: "https://mcp.acme.example/mcp" });`,
      fixed: pack`pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/mcp" });`,
    },
    {
      bad: pack`pack.addMCPServer({ name: "Tools", endpointUrl: «"https://mcp.acme.example/sse"» });`,
      fixed: pack`pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/mcp" });`,
    },
  ],
  on: {
    *mcpServer(pack, { place, definition }) {
      for (const property of definition.properties) if (!isField(pack, property)) yield unknownField(pack, definition, property);
      const property = propertyOf(definition, "endpointUrl");
      if (property === undefined) {
        if (!definition.open && !definition.properties.some(({ name }) => isEndpointAlias(name)))
          yield {
            place,
            message: "Add endpointUrl to the MCP server. The platform rejects the pack without it.",
            fixes: () => [propose("Add endpointUrl", insertProperty(pack, definition, 'endpointUrl: "https://"'))],
          };
        return;
      }
      const value = pack.resolve(property.value);
      if (NO_TEXTS.has(value.kind))
        yield { place: nameOf(property), message: "Write endpointUrl as a string. The platform rejects the pack otherwise." };
      // A computed URL may be anything, even if only a part is computed.
      if (value.kind !== "string") return;
      const text = value.value;
      if (isRelative(text)) {
        if (hasNoEndpointForServers(pack))
          yield {
            place: property.value.place,
            message:
              "Write the whole https URL, or give the authentication an endpoint with requiresEndpointUrl. The platform rejects the pack otherwise.",
            fixes: () => declaredHosts(pack).flatMap((domain) => rewrite(pack, value, property.value, `https://${domain}${text}`)),
          };
      } else if (!isHttps(text))
        yield {
          place: property.value.place,
          message: `Use an https URL, or a path such as "/mcp". The platform rejects the pack otherwise.`,
          fixes: () => {
            const secure = text.replace(/^(?:https?:\/\/)?/i, "https://");
            return value.place === property.value.place && isHttps(secure)
              ? [(isLoopback(hostOf(text) ?? "") ? propose : fix)("Use https", replace(value.place, quoteLike(pack, value.place, secure)))]
              : [];
          },
        };
      else if (/\/sse\/?$/.test(text))
        yield {
          place: property.value.place,
          severity: "information",
          message:
            "Use the server's Streamable HTTP address, often /mcp. An address that ends in /sse is mostly of the older HTTP+SSE transport, which the platform does not speak.",
          fixes: () => rewrite(pack, value, property.value, text.replace(/\/sse\/?$/, "/mcp")),
        };
    },
  },
});

/** Returns whether the installed SDK has the field; any field may exist if the SDK's declaration cannot be read. */
const isField = ({ toolkit }: PackModel, { name }: Property): boolean =>
  MCP_SERVER_FIELDS.some((field) => field.name === name) ||
  (toolkit !== undefined && toolkit.innerFields.get("mcpServers")?.has(name) !== false);

function unknownField(pack: PackModel, definition: ObjectValue, property: Property): Finding {
  if (isEndpointAlias(property.name) && propertyOf(definition, "endpointUrl") === undefined) return renamed(property);
  const place = nameOf(property);
  if (pack.toolkit === undefined) return { place, severity: "warning", message: unsureField(property.name) };
  return {
    place,
    message: `Update the Packs SDK, or remove ${property.name}. The installed ${describeToolkit(pack.toolkit.version)} does not have this field, and its upload rejects unknown ones.`,
    fixes: () => removal(pack, definition, property),
  };
}

/** Returns whether the name is a common alternative for the URL's field. */
const isEndpointAlias = (name: string): boolean =>
  /^(?:url|endpoint|serverUrl|mcpUrl)$/i.test(name) || closest(name, ["endpointUrl"]) !== undefined;

function renamed(property: Property): Finding {
  const isShorthand = property.span.end === property.nameSpan.end;
  return {
    place: nameOf(property),
    message: "Use endpointUrl. An MCP server has name and endpointUrl only, and the platform rejects the pack.",
    fixes: () => [
      respell("Rename to endpointUrl", replace(nameOf(property), isShorthand ? `endpointUrl: ${property.name}` : "endpointUrl")),
    ],
  };
}

/** Changes the URL if it is a literal in the declaration. */
const rewrite = (pack: PackModel, { place }: Value, sourceValue: Expression, url: string): readonly Fix[] =>
  place === sourceValue.place ? [propose(`Change to ${url}`, replace(place, quoteLike(pack, place, url)))] : [];

const NO_TEXTS: ReadonlySet<string> = new Set(["number", "boolean", "null", "undefined", "array", "object", "function"]);

/** The conditions of the SDK's validator. */
const isRelative = (text: string): boolean => /^\/(?![/\\])/.test(text);
const isHttps = (text: string): boolean => /^https:\/\/[^/?#\\]/.test(text);
