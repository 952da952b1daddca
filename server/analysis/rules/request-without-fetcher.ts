import { HTTP_CLIENTS } from "../../../spec/http-clients.ts";
import type { FileFacts, ImportFact } from "../model/facts.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { isForNode, missingGlobals } from "../pack/missing-globals.ts";
import { reachableCode } from "../pack/reachable-code.ts";
import { pack, rule, source } from "../rule.ts";
import { find, TOP_LEVEL } from "../syntax/names/declarations.ts";

/** The functions of HTTP clients that send requests or create a client. */
const SENDERS = new Set("default create extend fetch get post put patch delete del head options request stream".split(" "));

const GLOBALS: ReadonlySet<string> = new Set(["fetch", "XMLHttpRequest"]);

export default rule({
  id: "request-without-fetcher",
  severity: "warning",
  source: "sdk-facts 4",
  docs: `A request is made without \`context.fetcher\`.

Use \`context.fetcher.fetch\`. The platform's runtime has no \`fetch\` and no \`XMLHttpRequest\`, so packages such as axios cannot send anything either. Only the fetcher adds the credentials of the account. Its \`fetch\` takes one object with \`method\` and \`url\`, and it has no other methods.`,
  examples: [
    {
      bad: pack`
        formula Me {
          let response = await «fetch»("https://api.acme.example/me");
          return response.text();
        }`,
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        import axios from "axios";
        export const pack = coda.newPack();
        pack.addNetworkDomain("acme.example");
        formula Me {
          let response = await «axios.get»("https://api.acme.example/me");
          return response.data.name;
        }`,
    },
    {
      bad: pack`
        formula Me {
          let response = await context.fetcher.fetch(«"https://api.acme.example/me"», { headers: { Accept: "*/*" } });
          return response.body.name;
        }`,
    },
    {
      bad: pack`
        formula Me {
          let response = await «context.fetcher.get»("https://api.acme.example/me");
          return response.body.name;
        }`,
    },
    {
      good: pack`
        async function fetch(context, path) {
          return context.fetcher.fetch({ method: "GET", url: "https://api.acme.example/" + path });
        }
        formula Me {
          let response = await fetch(context, "me");
          return response.body.name;
        }`,
    },
  ],
  on: {
    *file(pack, facts) {
      if (pack.partial || facts.unread !== undefined) return;
      if (!pack.facts.some(({ uses }) => uses("defines", "fetcher"))) yield* otherCalls(pack, facts);
      for (const { place, name } of missingGlobals(pack, facts, GLOBALS))
        yield { place, message: `Use context.fetcher.fetch. The platform's runtime has no ${name}.` };
      const clients = [...facts.imports.values()].filter((imported) => isClient(pack, facts, imported));
      if (clients.length === 0 || isForNode(facts) || pack.facts.some(({ uses }) => uses("defines", "adapter"))) return;
      for (const { place, path } of facts.calledPaths()) {
        const [root = "", member] = path;
        const client = clients.find(({ local }) => local === root);
        const declared = facts.declarations.get(root);
        // A local variable hides the import.
        if (client === undefined || !sends(client, member) || find(declared, place.start) !== find(declared, TOP_LEVEL)) continue;
        if (reachableCode(pack).has(place))
          yield { place, message: `Use context.fetcher.fetch. ${client.module} has no network in the platform's runtime.` };
      }
    },
  },
});

/** Reports the fetcher if the code calls it with another client's arguments. */
function* otherCalls(pack: PackModel, { contextCalls, uses, calledPaths }: FileFacts): Iterable<Finding> {
  for (const { callee, arguments: callArguments } of contextCalls) {
    const [url] = callArguments;
    if (callee.kind !== "reference" || !isOfContext(callee.path, "fetch") || (url?.kind !== "string" && url?.kind !== "template")) continue;
    if (reachableCode(pack).has(url.place))
      yield {
        place: url.place,
        message: "Give fetch one object with method and url. The fetcher takes no URL by itself, so the request fails.",
      };
  }
  const methods = [...SENDERS].filter((name) => name !== "fetch" && uses("reads", `fetcher.${name}`));
  if (methods.length === 0) return;
  for (const { place, path } of calledPaths())
    if (methods.some((name) => isOfContext(path, name)) && reachableCode(pack).has(place))
      yield { place, message: `Use context.fetcher.fetch with method and url. The fetcher has no ${path[2] ?? ""}.` };
}

/** Compares with the usual names of the context, because an object of the pack may have a fetcher too. */
const isOfContext = (path: readonly string[], method: string | undefined): boolean =>
  path.length === 3 && /(?:context|ctx)$/i.test(path[0] ?? "") && path[1] === "fetcher" && path[2] === method;

const isClient = (pack: PackModel, { file }: FileFacts, { module }: ImportFact): boolean =>
  HTTP_CLIENTS.has(module) && pack.resolveModule(file, module) === undefined;

const sends = ({ name }: ImportFact, member: string | undefined): boolean =>
  member === undefined ? name === "*" || SENDERS.has(name) : SENDERS.has(member);
