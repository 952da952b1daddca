// Finds mistakes in sources, with the edits that fix them.
import { z } from "zod";
import { input } from "../inputs.ts";
import { operation } from "../operation.ts";

export const check = operation({
  about:
    "Finds mistakes in the authentication of packs: what the platform would reject, or get wrong in silence. Reads the files as they are now. Each finding has a rule (pass it to explain), a place, and fixes with edits to apply. Runs no code and needs no network.",
  input: z.strictObject({
    paths: input(
      z.array(z.string()).max(1_000).default(["."]),
      "Files or folders, relative to the folder of the host. By default all of it.",
    ),
  }),
  missing: {
    // A check runs before each commit, so its start loads neither the schemas nor the platform.
    terminal: { paths: "The verb check reads its own words." },
    editor: { paths: "The language server checks what is open." },
  },
  run: ({ paths }, { pathOf, sourcesOf, signal }) => sourcesOf().check(paths.map(pathOf), signal),
});
