// A pack that attempts everything pack code must never be able to do (security.md 1). All Node versions and the extension host of the real
// VS Code run these probes. Each formula returns "kept" unless it escaped; its description names the attempt.
import "./ways/handed-over.ts";
import "./ways/code-and-modules.ts";
import "./ways/language.ts";
import "./ways/stacks.ts";
import "./ways/taken-from-pack.ts";
import { pack, probe } from "./probe.ts";
import { CONTAINED } from "./reach.ts";

export { pack };

const shared = pack.formulas.filter(({ name }) => name.startsWith("Probe"));
probe(
  "each attempt that leaves its process unchanged",
  async (context, secretFile) => {
    const out: string[] = [];
    for (const { description, execute } of shared) {
      const verdict = await Promise.resolve(execute([secretFile], context)).catch((error: Error) => error.message);
      if (verdict !== CONTAINED) out.push(`${description}: ${String(verdict)}`);
    }
    return out.length === 0 ? CONTAINED : out.join("; ");
  },
  "Together",
);
