// Locks and source maps of uploads are where the command line keeps them: a pack is uploaded with one and looked at with the other.
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import type { PlatformHost } from "../../platform/host.ts";

/** Returns the folder of the locks and source maps of uploads; the editor's own if the user has no home. */
export const uploadsFolder = ({ storageFolder }: Pick<PlatformHost, "storageFolder">): string =>
  userDataFolder(process.env) ?? storageFolder;
