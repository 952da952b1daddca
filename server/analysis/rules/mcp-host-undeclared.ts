import { propertyOf } from "../configuration/config.ts";
import { addDomain } from "../configuration/declare-domain.ts";
import { domainOf, isPublic } from "../domains/hosts.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "mcp-host-undeclared",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.15.0",
  source: "SDK 6",
  docs: `The host of an MCP server is not in the pack's network domains.

Declare it with \`pack.addNetworkDomain\`. The platform rejects the pack at upload otherwise. The host must be a declared domain or a subdomain of one, in the same letter case.`,
  examples: [
    {
      bad: pack`pack.addMCPServer({ name: "Tools", endpointUrl: «"https://mcp.example.org/mcp"» });`,
      change: ["pack.addMCPServer", 'pack.addNetworkDomain("mcp.example.org");\npack.addMCPServer'],
    },
    { good: pack`pack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.acme.example/" });` },
  ],
  on: {
    *mcpServer(pack, { definition }) {
      const property = propertyOf(definition, "endpointUrl");
      const value = property === undefined ? undefined : pack.resolve(property.value);
      if (property === undefined || value?.kind !== "string" || pack.partial || !pack.domains.complete) return;
      const text = value.value;
      if (text.startsWith("/") && !pack.domains.any)
        yield {
          place: property.value.place,
          message:
            "Declare the domain of the accounts' endpoints with pack.addNetworkDomain. The platform rejects an MCP server without one.",
        };
      // The host as written, because the validator does not normalise names.
      const hostname = /^https:\/\/(?:[^@/?#\\]*@)?(\[[^\]]*\]|[^:/?#\\\s]+)/.exec(text)?.[1]?.toLowerCase() ?? "";
      const domains = pack.domains.declared.map(({ value }) => value);
      // The author must fill in an empty domain first.
      if (hostname === "" || domains.some((domain) => domain === "" || hostname === domain || hostname.endsWith(`.${domain}`))) return;
      yield {
        place: property.value.place,
        message: isPublic(hostname)
          ? `Declare the domain of ${hostname} with pack.addNetworkDomain. The platform rejects an MCP server outside the pack's network domains.`
          : `Write the server's public host. ${hostname} has no public name, so the platform rejects the MCP server.`,
        fixes: () => addDomain(pack, domainOf(hostname)),
      };
    },
  },
});
