import { ownPackage } from "../own-package.ts";

/** Our name in a robots.txt. */
export const ROBOT_NAME = "Loredex";

/** The user agent that servers see: name, version, and an address to read more. */
export function userAgent(): string {
  const { version, homepage } = ownPackage();
  const [project = homepage] = homepage.split("/tree/");
  return `${ROBOT_NAME}/${version} (+${project})`;
}
