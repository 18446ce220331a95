/** Types of the package pgpass, which has none, as far as this package uses it. */
declare module "pgpass" {
  /** Calls back with the password of the first line that fits, in the file at `PGPASSFILE` or `~/.pgpass`; undefined without one. */
  export default function pgpass(
    server: { readonly host: string; readonly port: number; readonly database?: string; readonly user?: string },
    found: (password: string | undefined) => void,
  ): void;
}
