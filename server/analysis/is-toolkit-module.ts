// The toolkit is imported by its name, or by that of a file inside its package.

/** `@codahq/packs-sdk` and `@codahq/packs-sdk/dist/types`, where the first is one of the modules. */
export function isToolkitModule(module: string, toolkitModules: readonly string[]): boolean {
  for (let index = 0; index < toolkitModules.length; index++) {
    const name = toolkitModules[index] ?? "";
    if (module.startsWith(name) && (module.length === name.length || module.startsWith("/dist/", name.length))) return true;
  }
  return false;
}
