import { HTTP_CLIENTS } from "../../../spec/http-clients.ts";
import type { FileFacts, ImportFact } from "../model/facts.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { reachableCode } from "../pack/reachable-code.ts";
import { pack, rule, source } from "../rule.ts";
import { find, TOP_LEVEL } from "../syntax/names/declarations.ts";

/** The functions of HTTP clients that send requests or create a client. */
const SENDERS = new Set("default create extend fetch get post put patch delete del head options request stream".split(" "));

/** Matches code that tests for or adds a global, scripts for Node, and clients with a custom adapter. */
const OWN_WAYS =
  /(?<![.\w$])(?:globalThis|global|window|self)\b|\btypeof\s+(?:fetch|XMLHttpRequest)\b|\bfetch\s*=[^=>]|\bprocess\.\w|["']node:|\badapter\b/;

export default rule({
  id: "request-without-fetcher",
  severity: "warning",
  source: "sdk-facts 4",
  docs: `A request is made without \`context.fetcher\`.

Use \`context.fetcher.fetch\`. The platform's runtime has no \`fetch\` and no \`XMLHttpRequest\`, so packages such as axios cannot send anything either. Only the fetcher adds the credentials of the account. Its \`fetch\` takes one object with \`method\` and \`url\`, and it has no other methods.`,
  examples: [
    {
      bad: pack`
        pack.addFormula({
          ...Me,
          execute: async function ([], context) {
            let response = await «fetch»("https://api.acme.example/me");
            return response.text();
          },
        });
      `,
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        import axios from "axios";
        export const pack = coda.newPack();
        pack.addNetworkDomain("acme.example");
        pack.addFormula({
          ...Me,
          execute: async function ([], context) {
            let response = await «axios.get»("https://api.acme.example/me");
            return response.data.name;
          },
        });
      `,
    },
    {
      bad: pack`
        pack.addFormula({
          ...Me,
          execute: async function ([], context) {
            let response = await context.fetcher.fetch(«"https://api.acme.example/me"», { headers: { Accept: "*/*" } });
            return response.body.name;
          },
        });
      `,
    },
    {
      bad: pack`
        pack.addFormula({
          ...Me,
          execute: async function ([], context) {
            let response = await «context.fetcher.get»("https://api.acme.example/me");
            return response.body.name;
          },
        });
      `,
    },
    {
      good: pack`
        async function fetch(context, path) {
          return context.fetcher.fetch({ method: "GET", url: "https://api.acme.example/" + path });
        }
        pack.addFormula({
          ...Me,
          execute: async function ([], context) {
            let response = await fetch(context, "me");
            return response.body.name;
          },
        });
      `,
    },
  ],
  on: {
    *file(pack, facts) {
      if (pack.partial || facts.unread !== undefined) return;
      for (const finding of otherCalls(pack, facts)) if (!pack.facts.some(({ text }) => OWN_FETCHER.test(text))) yield finding;
      const globals = facts.globalRequests.filter(({ path: [name = ""] }) => !facts.imports.has(name) && !facts.declarations.get(name));
      const clients = [...facts.imports.values()].filter((imported) => isClient(pack, facts, imported));
      if (clients.length + globals.length === 0 || pack.facts.some(({ text }) => OWN_WAYS.test(text))) return;
      const callPaths = clients.length === 0 ? [] : facts.calledPaths();
      const byClients = callPaths.flatMap(({ place, path: [root = "", member] }) => {
        const client = clients.find(({ local }) => local === root);
        return client !== undefined && sends(client, member) ? [{ place, root, client }] : [];
      });
      for (const { place, root, client } of [
        ...globals.map(({ place, path: [root = ""] }) => ({ place, root, client: undefined })),
        ...byClients,
      ]) {
        const declared = facts.declarations.get(root);
        // A local variable hides the import.
        if (find(declared, place.start) !== find(declared, TOP_LEVEL) || !reachableCode(pack).has(place)) continue;
        yield {
          place,
          message:
            client === undefined
              ? `Use context.fetcher.fetch. The platform's runtime has no ${root}.`
              : `Use context.fetcher.fetch. ${client.module} has no network in the platform's runtime.`,
        };
      }
    },
  },
});

/** Reports the fetcher if the code calls it with another client's arguments. */
function* otherCalls(pack: PackModel, { contextCalls, text, calledPaths }: FileFacts): Iterable<Finding> {
  for (const { callee, arguments: callArguments } of contextCalls) {
    const [url] = callArguments;
    if (callee.kind !== "reference" || !isOfContext(callee.path, "fetch") || (url?.kind !== "string" && url?.kind !== "template")) continue;
    if (reachableCode(pack).has(url.place))
      yield {
        place: url.place,
        message: "Give fetch one object with method and url. The fetcher takes no URL by itself, so the request fails.",
      };
  }
  if (!/fetcher\.(?!fetch\b)/.test(text)) return;
  for (const { place, path } of calledPaths())
    if (SENDERS.has(path[2] ?? "") && path[2] !== "fetch" && isOfContext(path, path[2]) && reachableCode(pack).has(place))
      yield { place, message: `Use context.fetcher.fetch with method and url. The fetcher has no ${path[2] ?? ""}.` };
}

/** Matches `{ ...context, fetcher: client }`, `context.fetcher = client`. */
const OWN_FETCHER = /\bfetcher\s*[:=]/;

/** Compares with the usual names of the context, because an object of the pack may have a fetcher too. */
const isOfContext = (path: readonly string[], method: string | undefined): boolean =>
  path.length === 3 && /(?:context|ctx)$/i.test(path[0] ?? "") && path[1] === "fetcher" && path[2] === method;

const isClient = (pack: PackModel, { file }: FileFacts, { module }: ImportFact): boolean =>
  HTTP_CLIENTS.has(module) && pack.resolveModule(file, module) === undefined;

const sends = ({ name }: ImportFact, member: string | undefined): boolean =>
  member === undefined ? name === "*" || SENDERS.has(name) : SENDERS.has(member);
