/** The two functions that the lock uses of a package without types. */
declare module "fs-native-extensions" {
  /** Asks for an exclusive lock of the whole file without waiting; false if another holder has it. */
  export function tryLock(descriptor: number): boolean;
  export function unlock(descriptor: number): void;
}
