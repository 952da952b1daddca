// The redirect address of the published pack, by the id that the Packs SDK's commands keep beside its entry.
import { dirname, join } from "node:path";
import { type PublishedRedirect, publishedRedirect } from "../../spec/published-redirect.ts";
import { readRegularFile } from "../files/regular-file.ts";

export const publishedAddress = (entry: string): PublishedRedirect =>
  publishedRedirect((name) => readRegularFile(join(dirname(entry), name)));
