// What stands below a folder that an editor works in: plain JavaScript, because tests inside an extension host load it too.
const { readdirSync } = require("node:fs");
const { join } = require("node:path");

/** Folders and files, links not followed. What is taken away while this looks is not there: Node's own recursive list throws then. */
exports.below = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const own = { path, isFile: entry.isFile() };
    if (!entry.isDirectory()) return [own];
    try {
      return [own, ...exports.below(path)];
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
      return [];
    }
  });
