// The toolkit is imported by its name, or by that of a file inside its package.

/** `@codahq/packs-sdk` and `@codahq/packs-sdk/dist/types`, where the first is one of the modules. */
export const isToolkitModule = (module: string, toolkitModules: readonly string[]): boolean =>
  toolkitModules.some((name) => module.startsWith(name) && (module.length === name.length || module.startsWith("/dist/", name.length)));
