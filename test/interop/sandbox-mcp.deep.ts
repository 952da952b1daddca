// Our sandbox, judged by the public MCP clients: with their own discovery, registration and sign-in they list its tools and call one.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from "@modelcontextprotocol/client";
import { sandboxOfSuite } from "../support/open-packs.ts";
import { approve, callbackServer, definition, registered, removeStubsFiles } from "../support/sandbox.ts";
import { interopOfSuite } from "./suite.ts";

/** What these tests use of either library. */
interface AnyClient {
  connect(transport: unknown): Promise<void>;
  listTools(params?: { cursor?: string }): Promise<{ readonly tools: readonly { readonly name: string }[]; readonly nextCursor?: string }>;
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
  close(): Promise<void>;
}
interface AnyTransport {
  finishAuth(parameters: unknown): Promise<void>;
  terminateSession(): Promise<void>;
}
interface Library {
  client(): AnyClient;
  transport(url: URL, authProvider: object): AnyTransport;
}

describe("Interop: the sandbox's MCP server", function () {
  this.timeout(60_000);
  if (interopOfSuite() === undefined) return;
  const sandbox = sandboxOfSuite();
  after(removeStubsFiles);
  const require = createRequire(join(import.meta.dirname, "package.json"));
  const { Client: Client1 } = require("@modelcontextprotocol/sdk/client/index.js") as { Client: typeof Client2 };
  const { StreamableHTTPClientTransport: Transport1 } = require("@modelcontextprotocol/sdk/client/streamableHttp.js") as {
    StreamableHTTPClientTransport: typeof Transport2;
  };
  const information = { name: "stranger", version: "1" };
  const LIBRARIES: Readonly<Record<string, Library>> = {
    "@modelcontextprotocol/sdk 1": {
      client: () => new Client1(information) as AnyClient,
      transport: (url, authProvider) => new Transport1(url, { authProvider: authProvider as never }),
    },
    "@modelcontextprotocol/client 2": {
      client: () => new Client2(information) as AnyClient,
      transport: (url, authProvider) => new Transport2(url, { authProvider: authProvider as never }),
    },
    "@modelcontextprotocol/client 2, of the protocol of 2026": {
      client: () => new Client2(information, { versionNegotiation: { mode: { pin: "2026-07-28" } } }) as AnyClient,
      transport: (url, authProvider) => new Transport2(url, { authProvider: authProvider as never }),
    },
  };

  const tools = Array.from({ length: 60 }, (_, index) => ({ name: `tool${index}`, answer: { index } }));

  for (const [name, library] of Object.entries(LIBRARIES))
    for (const mcp of ["json", "stream"] as const)
      it(`${name} finds the provider, registers, signs in, lists and calls (${mcp})`, async () => {
        const at = await registered(
          sandbox,
          definition(
            { type: "OAuth2", useDynamicClientRegistration: true, scopes: ["tasks:read"] },
            { mcpServers: [{ name: "Shop", endpointUrl: "https://ai.shop.example/mcp" }] },
          ),
          { stubs: { tools } },
        );
        await sandbox.change({ entry: at.entry, switches: { mcp } });
        const callback = await callbackServer();
        const person = new Person(`http://127.0.0.1:${callback.port}/oauth`);
        try {
          const url = new URL(`${at.origin}/ai.shop.example/mcp`);
          const first = library.transport(url, person);
          await assert.rejects(library.client().connect(first), /nauthorized/);
          const back = await approve(person.page);
          await first.finishAuth(name.includes("client 2") ? back : back.get("code"));
          assert.equal(new URL(person.page).searchParams.get("resource"), url.href);
          assert.equal(new URL(person.page).searchParams.get("scope")?.includes("tasks:read"), true);
          const transport = library.transport(url, person);
          const client = library.client();
          await client.connect(transport);
          const page = await client.listTools();
          const names = page.tools.map((tool) => tool.name);
          if (page.nextCursor !== undefined)
            names.push(...(await client.listTools({ cursor: page.nextCursor })).tools.map((tool) => tool.name));
          assert.deepEqual(
            names,
            tools.map((tool) => tool.name),
          );
          const result = (await client.callTool({ name: "tool7", arguments: {} })) as { readonly structuredContent: unknown };
          assert.deepEqual(result.structuredContent, { index: 7 });
          await transport.terminateSession();
          await client.close();
        } finally {
          callback.close();
        }
      });
});

/** The libraries' OAuthClientProvider, all of it in memory. */
class Person {
  page = "";
  readonly redirectUrl: string;
  #client: unknown;
  #tokens: unknown;
  #verifier = "";
  #discovered: unknown;
  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl;
  }
  get clientMetadata(): object {
    return {
      client_name: "stranger",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    };
  }
  clientInformation = (): unknown => this.#client;
  saveClientInformation = (client: unknown): void => {
    this.#client = client;
  };
  tokens = (): unknown => this.#tokens;
  saveTokens = (tokens: unknown): void => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL): void => {
    this.page = url.href;
  };
  saveCodeVerifier = (verifier: string): void => {
    this.#verifier = verifier;
  };
  saveDiscoveryState = (state: unknown): void => {
    this.#discovered = state;
  };
  discoveryState = (): unknown => this.#discovered;
  codeVerifier = (): string => this.#verifier;
}
