// The installed package in the real VS Code, in a window that is not trusted at first: an author's way (support/authors-journey.ts).
import { join } from "node:path";
import { authorsJourney, storeSandboxAccount, writeExample } from "./support/authors-journey.ts";
import { installedWindowOfSuite } from "./support/installed-window.ts";

describe("The installed package", function () {
  this.timeout(120_000);
  const shared = installedWindowOfSuite(writeExample, (workspace) => ({
    trusted: false,
    opening: (dataFolder) => storeSandboxAccount(dataFolder, join(workspace, "todo-oauth2/pack.ts")),
  }));
  describe("The author's journey", () => authorsJourney(shared));
});
