/** The meaning of the system's error codes. The caller names the file beside it. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "this is a folder",
  EACCES: "this user has no permission",
  EPERM: "the system does not permit it",
  EROFS: "its disk can only be read",
  ENOSPC: "the disk is full",
  EDQUOT: "this user may store no more on the disk",
  EFBIG: "it would be larger than the disk allows",
  EIO: "the disk has failed",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open; raise the limit (ulimit -n)",
  ENFILE: "too many files are open on this machine",
  EBUSY: "another program is using it",
};

/** The reason of a file or connection error, in words for people; the error's own message if the system gave no known code. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return REASONS[code] ?? error.message;
}
