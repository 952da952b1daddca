// The tests of a window with packs.
const { join } = require("node:path");

exports.FILES = ["pack-node.cjs", "extension.cjs", "editing.cjs", "escapes.cjs"].map((name) => join(__dirname, name));
