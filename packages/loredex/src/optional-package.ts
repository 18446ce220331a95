/**
 * Imports a package that need not be installed. Its name comes as a value: a name in the code itself would have bundlers resolve it, and fail where it is missing.
 * The comments tell them to leave the import as it stands.
 */
export function optionalPackage<Module>(name: string): Promise<Module> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
}
