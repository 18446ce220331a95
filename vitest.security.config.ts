import { SECURITY_TESTS } from "./test/security/tests.ts";
import slow from "./vitest.slow.config.ts";

/** What SECURITY.md says, alone, one file after the other. `npm run test:security`: see tools/security. */
slow.test = { ...slow.test, include: [...SECURITY_TESTS] };
export default slow;
