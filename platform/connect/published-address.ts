// Finds the redirect address of the published pack, from the pack ID that the Packs SDK's commands store beside its entry.
import { dirname, join } from "node:path";
import { type PublishedRedirect, publishedRedirect } from "../../spec/published-redirect.ts";
import { readRegularFile } from "../files/regular-file.ts";

export const publishedAddress = (entry: string): PublishedRedirect =>
  publishedRedirect((name) => readRegularFile(join(dirname(entry), name)));
