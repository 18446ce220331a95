/** Types of two functions of a package that has none. */
declare module "fs-native-extensions" {
  /** Takes an exclusive lock of the whole file without waiting; false if another holder has it. */
  export function tryLock(descriptor: number): boolean;
  export function unlock(descriptor: number): void;
}
