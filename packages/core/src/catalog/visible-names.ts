import type { Violations } from "../model/validation.ts";

/** Characters that are invisible in a name, break its line, or change how the rest of the line is shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Refuses a new name with invisible characters: of a bot, a key, an agent or a channel. Names that exist keep working. */
export function requireVisible(name: string, violations: Violations): void {
  if (INVISIBLE.test(name))
    violations.add("name", "name", "name must have no control, formatting or other invisible characters");
}
