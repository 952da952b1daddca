// The environment of every Node that the product starts for a pack.

/** Nothing of the host's environment, but what makes Electron a Node; and the platform's clocks, which show UTC wherever its users are. */
export function nodeEnvironment(): NodeJS.ProcessEnv {
  const isElectron = process.versions.electron !== undefined || process.env.ELECTRON_RUN_AS_NODE !== undefined;
  return { TZ: "UTC", ...(isElectron ? { ELECTRON_RUN_AS_NODE: "1" } : {}) };
}
