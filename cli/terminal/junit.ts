// Writes JUnit XML for continuous integration.

interface JUnitCase {
  readonly name: string;
  /** Milliseconds. */
  readonly duration?: number;
  readonly failure?: string;
  /** Why the case was skipped. */
  readonly skipped?: string;
}

/** Returns a report with one suite. */
export function junit(suite: string, cases: readonly JUnitCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const lines = cases.map(({ name, duration = 0, failure, skipped: why }) => {
    const head = `    <testcase classname=${quoted(suite)} name=${quoted(name)} time="${(duration / 1000).toFixed(3)}"`;
    if (failure !== undefined) return `${head}>\n      <failure message=${quoted(failure)}/>\n    </testcase>\n`;
    return why === undefined ? `${head}/>\n` : `${head}>\n      <skipped message=${quoted(why)}/>\n    </testcase>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name=${quoted(suite)} tests="${cases.length}" failures="${failures}" skipped="${skipped}">\n${lines.join("")}  </testsuite>\n</testsuites>\n`;
}

/** Quotes an attribute, and replaces characters that XML 1.0 does not allow. */
const quoted = (text: string): string =>
  `"${text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .toWellFormed()
    // Two # characters begin a workflow command.
    .replace(/[&<>"\n\r\t]|#(?=#)/g, (character) => `&#${character.charCodeAt(0)};`)}"`;
