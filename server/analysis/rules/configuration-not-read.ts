import { loopItems } from "../pack/loop-items.ts";
import { firstArgument } from "../pack/pack.ts";
import { pack, rule } from "../rule.ts";
import { isOpaque } from "../syntax/expressions.ts";

export default rule({
  id: "configuration-not-read",
  severity: "information",
  verdict: "not-judged",
  source: "design, Robustness",
  docs: `The configuration that this call sets could not be read from the source.

Write the configuration in the call or as a constant, or check the built pack with the SDK's \`validate\` command. Pack Auth follows names, calls, classes and conditions through the pack's files, but runs no code. What a package, a file, the environment or a long computation decides stays unknown. Then nothing is reported about the configuration, whether it is right or wrong.`,
  examples: [
    {
      bad: pack`
        import { configuration } from "acme-packs";
        pack.«setUserAuthentication»(configuration());`,
    },
    {
      good: pack`
        const configuration = () => ({ type: coda.AuthenticationType.HeaderBearerToken });
        pack.setUserAuthentication(configuration());`,
    },
  ],
  on: {
    *call({ auths, facts, resolve, options }, call) {
      const argument = firstArgument(call);
      if (argument === undefined || !SETTERS.has(call.method)) return;
      const own = auths.filter((auth) => auth.call === call);
      const isOpen = own.some(({ config: { open, merged } }) => open && merged?.openToSources !== true);
      // If the argument has several values, each of them counts.
      const values =
        own.length === 1
          ? []
          : options(argument)
              .flatMap((one) => loopItems(one, resolve, facts))
              .map(resolve);
      // An object that is half typed has its own error.
      const isTyped = facts.some(({ file, mistake }) => file === call.place.file && mistake !== undefined);
      if (!isTyped && (isOpen || values.some(isOpaque)))
        yield {
          place: call.nameSpan,
          message: `Check this configuration with the SDK's validate command, or write it as a literal. ${isOpen ? "A part of it" : "It"} could not be read, and is not checked here.`,
        };
    },
  },
});

const SETTERS: ReadonlySet<string> = new Set(["setUserAuthentication", "setSystemAuthentication"]);
