// The options of `pack-auth preflight`.
import type { VerbHelp } from "../options.ts";
import { ENTRY_OPTIONS } from "../pack-entry.ts";

export const PREFLIGHT_FORMATS = ["pretty", "json", "sarif"] as const;
export type PreflightFormat = (typeof PREFLIGHT_FORMATS)[number];

export const PREFLIGHT = {
  usage: "preflight <pack> [options]",
  about: `Says what will become of the pack on the platform, one line for each thing that decides it: what the upload's validator says, what
needs approval, what has to be entered there, and what was never tried. Nothing is sent, and no credential is needed.
<pack> is the file that builds the pack, or its folder.`,
  options: {
    format: { argument: PREFLIGHT_FORMATS.join("|"), help: "format of the report (default: pretty)" },
    ...ENTRY_OPTIONS,
  },
  more: `What was not checked, or never tried on this machine, does not change the exit code.

Exit code: 0 nothing will be rejected, 1 something will be rejected, 2 the command is wrong, 3 the pack could not be
validated, 130 it was stopped.

Examples:
  pack-auth preflight .
  pack-auth preflight pack.ts --format sarif > preflight.sarif
`,
} as const satisfies VerbHelp;
