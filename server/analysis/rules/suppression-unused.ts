import { closest } from "../../../base/closest.ts";
import { fix, respell } from "../configuration/config.ts";
import type { SuppressionFact } from "../model/facts.ts";
import type { Finding, Fix } from "../model/findings.ts";
import { type JudgedSuppressions, pack, rule } from "../rule.ts";
import { lineStart } from "../text/suppressions.ts";

export default rule({
  id: "suppression-unused",
  severity: "information",
  source: "rules, Network domains and requests",
  docs: `A \`pack-auth-disable\` comment silences nothing.

Remove it, or name a rule that is flagged on the line below. Perhaps the problem is fixed, the rule's name is misspelled, or the comment is above another line. The comment could hide the next mistake of that kind.

Write \`// pack-auth-disable-next-line <id>, <id> -- reason\` above the line, or \`// pack-auth-disable-line <id> -- reason\` at its end. \`// pack-auth-disable-file <id> -- reason\` anywhere is for the whole file. A rule that the settings switch off is not counted as unused.`,
  examples: [
    {
      bad: pack`
        «// pack-auth-disable-next-line auth-type-unknown -- a newer Packs SDK has it»
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });`,
    },
    {
      bad: pack`
        // pack-auth-disable-next-line auth-type-unknown, «auth-type-unknwn»
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });`,
      change: [", auth-type-unknwn", ""],
      good: [", auth-type-unknwn", " -- a newer Packs SDK has it"],
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic }); «/* pack-auth-disable-line auth-type-missing */»`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });`,
    },
    { good: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic }); // pack-auth-disable-line auth-type-unknown` },
    {
      good: pack`
        export const help = "// pack-auth-disable-next-line auth-type-unknown";
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });`,
    },
  ],
  on: {
    *suppressions(file) {
      for (const suppression of file.suppressions) yield* judge(file, suppression);
    },
  },
});

function* judge(file: JudgedSuppressions, suppression: SuppressionFact): Iterable<Finding> {
  const { directive, rules } = suppression;
  const remove = removeComment(file.text, suppression);
  if (directive === undefined || rules.length === 0) {
    const what =
      directive === undefined
        ? "Write pack-auth-disable-next-line, pack-auth-disable-line or pack-auth-disable-file. This comment silences nothing."
        : `Write pack-auth-disable-${directive} <rule> -- reason. This comment names no rule, so it silences nothing.`;
    yield { place: placeOf(suppression), message: what, fixes: [remove] };
    return;
  }
  const idle = rules.filter(({ id }) => !file.isUsed(suppression, id) && !file.isOff(id));
  if (idle.length === 0) return;
  if (idle.length === rules.length && idle.every(({ id }) => file.rules.includes(id))) {
    const names = rules.map(({ id }) => id).join(" and ");
    yield {
      place: placeOf(suppression),
      message:
        directive === "file"
          ? `Remove this comment. It silences nothing: this file has no finding of ${names}.`
          : `Remove this comment. It silences nothing: no finding of ${names} is there.`,
      fixes: [remove],
    };
    return;
  }
  for (const named of idle) {
    const isRule = file.rules.includes(named.id);
    const near = isRule ? undefined : closest(named.id, file.rules);
    const place = { file: suppression.file, start: named.start, end: named.end };
    const isListed = rules.some(({ id }) => id === near);
    yield {
      place,
      message: isRule
        ? `Remove ${named.id} from the comment. It finds nothing there.`
        : `${near === undefined ? "Remove it." : `Did you mean ${near}?`} There is no rule ${named.id}, so this silences nothing.`,
      fixes: [
        ...(near === undefined || isListed ? [] : [respell(`Change to ${near}`, { ...place, text: near })]),
        rules.length === 1 ? remove : removeRule(suppression, rules.indexOf(named)),
      ],
    };
  }
}

const placeOf = ({ file, start, end }: SuppressionFact): Finding["place"] => ({ file, start, end });

function removeRule({ file, rules }: SuppressionFact, index: number): Fix {
  const [before, named, after] = [rules[index - 1], rules[index], rules[index + 1]];
  const start = after === undefined ? (before?.end ?? 0) : (named?.start ?? 0);
  const end = after === undefined ? (named?.end ?? 0) : after.start;
  return fix(`Remove ${String(named?.id)} from the comment`, { file, start, end, text: "" });
}

/** Removes the comment with its line if nothing else is on it, else with the spaces before it. */
function removeComment(text: string, { file, whole }: SuppressionFact): Fix {
  const start = lineStart(text, whole.start);
  const before = text.slice(start, whole.start).replace("\ufeff", "");
  const after = /^[ \t]*(?:\r\n|\n|\r|$)/.exec(text.slice(whole.end))?.[0];
  const title = "Remove the comment";
  const end = whole.end + (after?.length ?? 0);
  if (after !== undefined && before.trim() === "") return fix(title, { file, start: whole.start - before.length, end, text: "" });
  const blanks = /(?<![ \t])[ \t]*$/.exec(before)?.[0].length ?? 0;
  // One space stays between code on both sides.
  const remainingBlanks = after === undefined && blanks > 0 && !/^\s/.test(text.slice(whole.end)) ? 1 : 0;
  return fix(title, { file, start: whole.start - blanks + remainingBlanks, end: whole.end, text: "" });
}
