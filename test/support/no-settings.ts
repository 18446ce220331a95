/** A developer's own Loredex, as `LOREDEX_DATA` names it, is nothing that a test may touch or be moved by. */
const SETTING = /^LOREDEX_/i;

/** An environment without any setting of Loredex. */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !SETTING.test(name)));
}

/** Takes all settings of Loredex out of an environment. */
export function forgetSettings(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) if (SETTING.test(name)) delete environment[name];
}
