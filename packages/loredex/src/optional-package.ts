/**
 * Imports a package that need not be installed. The name is a value: bundlers would resolve a literal name, and fail if the package is missing.
 * The comments tell bundlers to leave the import as it is.
 */
export function optionalPackage<Module>(name: string): Promise<Module> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
}
