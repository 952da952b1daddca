import { closest } from "../../../base/closest.ts";
import { customParamNames, fix, placeholderOf, propose } from "../configuration/config.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place, Span } from "../model/values.ts";
import { TOKEN, textOf, UNKNOWN } from "../requests/partial-text.ts";
import { type CarriedText, contentOf, placeIn, textsOf } from "../requests/placeholder-texts.ts";
import { pack, rule } from "../rule.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "placeholder-malformed",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 5.4.3",
  docs: `A placeholder of the Custom authentication is not written as the platform expects it.

It is \`{{name-<invocationToken>}}\`: two braces on either side, the param's name, a hyphen, the value of \`context.invocationToken\`, and no spaces. The platform replaces nothing else, so the request would contain the placeholder instead of the credential. In a body or form, \`{{name}}\` may be a tag of the API's own templates, and is a warning. One brace more than two is sent beside the credential, and is a warning. So is a placeholder that is encoded in base64, where the platform does not find it.`,
  supersedes: ["url-class-missing"],
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: \`https://acme.example/?key=«{apiKey-\${context.invocationToken}}»\` });
        }`,
      change: ["{apiKey-${context.invocationToken}}", "{{apiKey-${context.invocationToken}}}"],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: \`https://acme.example/?key=«{{ apiKey-\${context.invocationToken} }}»\` });
        }`,
      change: ["{{ apiKey-${context.invocationToken} }}", "{{apiKey-${context.invocationToken}}}"],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/?key=«{{apiKey}}»" });
        }`,
      change: ['"https://acme.example/?key={{apiKey}}"', "`https://acme.example/?key={{apiKey-${context.invocationToken}}}`"],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/?key=«{{apiKey-\${context.invocationToken}}}»" });
        }`,
      change: [
        '"https://acme.example/?key={{apiKey-${context.invocationToken}}}"',
        "`https://acme.example/?key={{apiKey-${context.invocationToken}}}`",
      ],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/?key=«{{apiKey_" + context.invocationToken + "}}»" });
        }`,
      change: ['{{apiKey_" + context.invocationToken + "}}', '{{apiKey-" + context.invocationToken + "}}'],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "user", description: "User" }, { name: "key", description: "Key" }] });
        export async function get(context) {
          let pair = \`{{user-\${context.invocationToken}}}:{{key-\${context.invocationToken}}}\`;
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: "Basic " + «Buffer.from(pair).toString("base64")» } });
        }`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: \`https://acme.example/?key=«{{apiKey-\${context.invocationToken}}}}»\` });
        }`,
      change: ["{{apiKey-${context.invocationToken}}}}", "{{apiKey-${context.invocationToken}}}"],
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "apiKey", description: "Key" }] });
        const TEMPLATE = "Hello {{apiKey}}, your order is on its way.";
        export async function get(context, name, id) {
          TEMPLATE;
          let body = JSON.stringify({ template: "Hello {{customer}}", id: \`{\${context.invocationToken}}\`, text: \`{"request":"\${context.invocationToken}"}\` });
          return context.fetcher.fetch({ method: "POST", url: \`https://acme.example/{\${id}}?key={{apiKey-\${context.invocationToken}}}&other={{\${name}-\${context.invocationToken}}}\`, body });
        }`,
    },
  ],
  on: {
    *pack(pack) {
      const names = customParamNames(pack);
      if (pack.partial || names === undefined) return;
      for (const text of textsOf(pack)) {
        yield* encoded(text, names);
        for (const { start, end, name, problem, doubt } of malformed(pack, text, names)) {
          const place = placeIn(pack, text, start, end);
          if (place === undefined) continue;
          yield {
            place,
            ...(doubt === undefined ? {} : { severity: "warning" as const }),
            message:
              doubt?.kind === "tag"
                ? `Write ${placeholderOf(name)} if the credential is meant: two braces, the name, a hyphen, the value of context.invocationToken. ${doubt.text} is sent as it is.`
                : doubt === undefined
                  ? `Write ${placeholderOf(name)}: two braces, the name, a hyphen, the value of context.invocationToken. ${problem}, and the request goes out without the value of ${name}.`
                  : `Remove ${doubt.text}. ${problem}, so it is sent beside the value of ${name}.`,
            fixes: () => {
              const fixes = rewrite(pack, text, place, start, end, name);
              return doubt?.kind !== "tag" ? fixes : fixes.map(({ title, edits }) => propose(title, ...edits));
            },
          };
        }
      }
    },
  },
});

/** Reports placeholders in a text that is encoded before it is sent. */
function* encoded({ pieces, request }: CarriedText, names: ReadonlySet<string>): Iterable<Finding> {
  for (const { piece } of request === undefined ? [] : pieces) {
    const text = piece.kind === "encoded" ? textOf(piece.encodes) : "";
    const [, name] = /\{\{([^{}]+)-\uE001\}\}/.exec(text) ?? [];
    if (name !== undefined && names.has(name))
      yield {
        place: piece.place,
        severity: "warning",
        message: `Send ${placeholderOf(name)} as it is, or use WebBasic authentication. The platform does not find the placeholder in base64, so the request goes out without the value of ${name}.`,
      };
  }
}

interface Malformed {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly problem: string;
  /** What makes it a warning: the text may be a tag of the API's own template language, or has surplus braces as its only problem. */
  readonly doubt?: { readonly kind: "tag" | "braces"; readonly text: string };
}

function* malformed(pack: PackModel, carried: CarriedText, names: ReadonlySet<string>): Iterable<Malformed> {
  const { text, request, isContent } = carried;
  // A template's `${…}` in a plain string.
  for (const match of text.matchAll(/\{\{\s*([^{}\s]+?)\s*-\s*\$\{[^{}\n]*\}\s*\}\}/g)) {
    const name = paramCalled(match[1] ?? "", names, false);
    if (name !== undefined)
      yield { start: match.index, end: match.index + match[0].length, name, problem: "This string is not a template" };
  }
  for (const match of text.matchAll(/(\{{1,3})([^{}\n]*)(\}{0,2})/g)) {
    const [whole, open = "", inner = "", close = ""] = match;
    const at = { start: match.index, end: match.index + whole.length };
    if (inner.includes(UNKNOWN)) {
      const name = inner.slice(0, -"-".length - UNKNOWN.length);
      if (open === "{{" && close === "}}" && inner === `${name}-${UNKNOWN}` && names.has(name) && isNoToken(pack, carried, at.end - 3))
        yield { ...at, name, problem: "Another value is in the place of the invocation token" };
      continue;
    }
    if (inner.includes(TOKEN)) {
      if (open.length > 1 && close.length === 2 && inner.endsWith(`-${TOKEN}`)) {
        const name = inner.slice(0, -"-".length - TOKEN.length);
        if (/^[^\s\uE001](?:[^\uE001]*[^\s\uE001])?$/.test(name) || names.has(name)) {
          const extra = request === undefined || !names.has(name) ? undefined : extraBraces(text, at, open);
          if (extra !== undefined) yield { ...extra, name, problem: "A placeholder has two braces on either side" };
          continue;
        }
      }
      const bare = inner.replace(TOKEN, "").trim();
      const name = /^[\w .:-]+$/.test(bare) ? paramCalled(bare.replaceAll(/^[-_:. ]+|(?<![-_:. ])[-_:. ]+$/g, ""), names, true) : undefined;
      if (name !== undefined) yield { ...at, name, problem: problemOf(open, inner, close) };
    } else if (request !== undefined && open.length > 1 && close.length === 2 && !/\$$/.test(inner)) {
      const [, bare = "", token] = /^(\S+?)(?:\s*-\s*<?((?:context\.)?(?:invocation_?)?token)>?)?$/i.exec(inner.trim()) ?? [];
      const isValue = !isContent && /\d/.test(inner);
      const name = paramCalled(bare, names, false) ?? (isValue ? [...names].find((param) => inner.startsWith(`${param}-`)) : undefined);
      const isTag = isContent && token === undefined;
      if (name !== undefined && !(isTag && hasOtherTags(text, names)))
        yield {
          ...at,
          ...(isTag ? { doubt: { kind: "tag", text: whole } } : {}),
          name,
          problem: token === undefined ? "The invocation token is missing" : "The invocation token is here as a word, not as its value",
        };
    }
  }
}

/** Whether the unknown value at the offset is certainly not the token: a member of the context, a random number, the time. */
function isNoToken(pack: PackModel, { pieces }: CarriedText, offset: number): boolean {
  const piece = pieces.find(({ at }) => at === offset)?.piece;
  if (piece?.kind === "parameter")
    return /(?:^|\.)(?:context|ctx)\.(?:timezone|endpoint|invocationLocation(?:\.\w+)?)$/i.test(piece.path.join("."));
  const source = piece && pack.text(piece.place.file).slice(piece.place.start, piece.place.end);
  return source !== undefined && NO_TOKEN.test(source) && !/token|context|ctx/i.test(source);
}

const NO_TOKEN = /^(?:Math\.random|(?:crypto\.)?randomUUID|uuid(?:v?\d)?|nanoid|Date\.now|new Date)\(/i;

/** Returns whether the text has template tags other than params, which the API fills in. */
const hasOtherTags = (text: string, names: ReadonlySet<string>): boolean =>
  [...text.matchAll(/\{\{([^{}]*)\}\}/g)].some(
    ([, inner = ""]) => !inner.includes(TOKEN) && !inner.includes(UNKNOWN) && paramCalled(inner.trim(), names, false) === undefined,
  );

/** Returns the surplus braces, if enough of the text is known. In JSON, the additional brace may belong to an object. */
function extraBraces(text: string, { start, end }: Span, open: string): (Span & Pick<Malformed, "doubt">) | undefined {
  const [behind = ""] = /^\}*/.exec(text.slice(end)) ?? [];
  const own = memberAround(text, start);
  if (behind !== "")
    return isBalanced(text.slice(own.start, start)) && open.length === 2
      ? { start, end: end + behind.length, doubt: { kind: "braces", text: behind } }
      : undefined;
  return open.length > 2 && isBalanced(text.slice(end, own.end)) ? { start, end, doubt: { kind: "braces", text: "{" } } : undefined;
}

/** Returns the range of the object's member, which is a text by itself, else of the whole text. */
function memberAround(text: string, offset: number): Span {
  const start = text.lastIndexOf("\n", offset) + 1;
  if (start === 0 || !/^[\w-]+=/.test(text.slice(start, offset))) return { start: 0, end: text.length };
  const end = text.indexOf("\n", offset);
  return { start, end: end < 0 ? text.length : end };
}

const isBalanced = (text: string): boolean => !text.includes(UNKNOWN) && text.split("{").length === text.split("}").length;

function problemOf(open: string, inner: string, close: string): string {
  if (open.length < 2 || close.length < 2) return "A placeholder has two braces on either side";
  if (/\s/.test(inner)) return "A placeholder has no spaces inside its braces";
  if (inner.startsWith(TOKEN)) return "The name comes before the invocation token";
  return "A hyphen separates the name from the invocation token";
}

/** Returns the intended param: by name, by letters only, or by a near match if the token follows. */
function paramCalled(name: string, declared: ReadonlySet<string>, near: boolean): string | undefined {
  // The rule param-name-invalid reports spaces around a name.
  const names = new Set([...declared].flatMap((param) => param.trim() || []));
  if (names.has(name)) return name;
  const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  if (letters(name) === "") return undefined;
  return [...names].find((other) => letters(other) === letters(name)) ?? (near ? closest(name, names) : undefined);
}

function rewrite(pack: PackModel, text: CarriedText, place: Place, start: number, end: number, name: string): readonly Fix[] {
  const title = "Write the placeholder as the platform expects it";
  const parts = text.pieces.filter(({ at, piece }) => at < end && at + (piece.kind === "text" ? piece.text.length : 1) > start);
  const [first, last] = [parts[0]?.piece, parts.at(-1)?.piece];
  const [before, behind] = [first && contentOf(pack, first), last && contentOf(pack, last)];
  if (before === undefined || behind === undefined || before.file !== behind.file) return [];
  const source = pack.text(before.file);
  if (parts.length === 3 && parts[1]?.piece.kind === "token") {
    // The source between the two strings: the token, with quotes and plus signs or the template's braces.
    const middle = source.slice(before.end, behind.start);
    return [fix(title, replace(place, `{{${name}-${middle}}}`))];
  }
  if (parts.length !== 1 || first === undefined) return [];
  const quote = source[first.place.start] ?? "";
  if (/\$\{[^{}\n]*\}/.test(first.kind === "text" ? text.text.slice(start, end) : "")) {
    const content = source.slice(before.start, before.end);
    // In a template literal, the braces contain code.
    const isCode = [...content.matchAll(/\$\{([^}]*)/g)].every(([, code = ""]) => /^\s*[\w$]+(?:\??\.[\w$]+)*\s*$/.test(code));
    return content.includes("`") || quote === "`" || !isCode
      ? []
      : [fix("Make the string a template", replace(first.place, `\`${content}\``))];
  }
  const token = tokenIn(pack, text, first.place);
  if (token === undefined) return [];
  const placeholder = `{{${name}-\${${token}}}}`;
  if (quote !== '"' && quote !== "'") return [fix(title, replace(place, placeholder))];
  const inTemplate = (part: string): string => part.replaceAll("`", "\\`").replaceAll("${", "\\${");
  const template = `\`${inTemplate(source.slice(before.start, place.start))}${placeholder}${inTemplate(source.slice(place.end, before.end))}\``;
  return [fix(title, replace(first.place, template))];
}

/** Returns the source of the token if the context's name is certain: in the request that contains the text, or just before that request. */
function tokenIn(pack: PackModel, { request }: CarriedText, { file, start, end }: Place): string | undefined {
  const { call } = request ?? {};
  if (call?.callee.kind !== "reference" || call.place.file !== file || end > call.place.end) return undefined;
  const { path } = call.callee;
  // No other function, block or variable of that name may begin between the two.
  const between = start < call.place.start ? pack.text(file).slice(end, call.place.start) : "";
  if (/[{}]|=>|\bfunction\b/.test(between) || between.includes(`${path[0]} =`)) return undefined;
  return path.length > 2 && path.at(-2) === "fetcher" ? `${path.slice(0, -2).join(".")}.invocationToken` : undefined;
}
