import { ownPackage } from "../own-package.ts";

/** By this name a robots.txt speaks to us. */
export const ROBOT_NAME = "Loredex";

/** What the servers that are asked see: who asks, in which version, and where to read about it. */
export function userAgent(): string {
  const { version, homepage } = ownPackage();
  const [project = homepage] = homepage.split("/tree/");
  return `${ROBOT_NAME}/${version} (+${project})`;
}
