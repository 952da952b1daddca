// The page of a diagnosis as Markdown: the content of docs/failures/, of the link beside an error, and of `pack-auth explain`.
import type { Diagnosis } from "./diagnosis.ts";

export function diagnosisPage({ id, docs, examples }: Diagnosis): string {
  const explained = examples.flatMap(({ exchange, says }) => (says === undefined ? [] : { exchange, says }));
  const shown = explained.map(
    ({ exchange, says }) => `${exchange === undefined ? "" : `\`\`\`http\n${exchange}\n\`\`\`\n\n`}> … ${says} …`,
  );
  return `# ${id}

${docs}

## ${shown.length === 1 ? "Example" : "Examples"}

${shown.join("\n\n")}
`;
}
