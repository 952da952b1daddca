// The environment of every Node process that the product starts for a pack.

/** Returns an environment without the host's variables. Electron runs as Node, and clocks show UTC as on the platform. */
export function nodeEnvironment(): NodeJS.ProcessEnv {
  const isElectron = process.versions.electron !== undefined || process.env.ELECTRON_RUN_AS_NODE !== undefined;
  return { TZ: "UTC", ...(isElectron ? { ELECTRON_RUN_AS_NODE: "1" } : {}) };
}
