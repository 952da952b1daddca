// A rule's page as Markdown: the content of docs/rules/, of the link at a diagnostic, and of `pack-auth explain`.
import type { Rule } from "../rule.ts";

export function rulePage({ id, severity, docs, examples, on }: Rule): string {
  const flagged = examples.flatMap(({ bad, fixed }) =>
    bad === undefined ? [] : [fenced(bad) + (fixed === undefined ? "" : `\n\nFixed:\n\n${fenced(fixed)}`)],
  );
  const good = examples.flatMap((example) => example.good ?? []);
  // A suppressing comment cannot silence a rule about suppressing comments.
  const inSource =
    on.suppressions === undefined
      ? `\n\nOr silence it in the source, with a reason: for a line by \`// pack-auth-disable-next-line ${id} -- reason\` above it, for a file by \`// pack-auth-disable-file ${id} -- reason\`.`
      : "";
  return `# ${id}

Severity: ${severity}

${docs}

## Flagged

${flagged.join("\n\nFlagged too:\n\n")}

## Not flagged

${good.map(fenced).join("\n\n")}

## Settings

In \`.packauthrc.json\`:

\`\`\`json
{ "rules": { "${id}": "off" } }
\`\`\`

In the editor's settings:

\`\`\`json
"packAuth.rules": { "${id}": "off" }
\`\`\`

It may be \`off\`, \`information\`, \`warning\` or \`error\`.${inSource}
`;
}

/** Removes the marks around reported code. */
const fenced = (source: string): string => `\`\`\`ts\n${source.replaceAll(/[\u00ab\u00bb]/g, "").trimEnd()}\n\`\`\``;
