/** Reads what `strace -e trace=network` wrote of a process: whom it turned to. */

/** Calls that name another side, or a place to be called at. */
const NAMING = /\b(?:connect|bind|sendto|sendmsg|sendmmsg)\((.*)/;
const FAMILY = /sa_family=(AF_\w+)/g;
const LOOPBACK = /sin_addr=inet_addr\("127\.0\.0\.1"\)|inet_pton\(AF_INET6, "::1"/;
const UNIX_PATH = /sun_path=@?"([^"]*)"/;
const COMMAND_END = /\+\+\+ (?:exited with|killed by) /;

/**
 * Calls that lead out of a directory and off this machine: to any address but a socket file below the directory, or a place to be called at that
 * others than this machine reach. A process that looks up a name is among them, also where its resolver is on this machine: it has to be asked.
 */
export function outwardCalls(trace: string, directory: string): string[] {
  return trace.split("\n").filter((line) => {
    const rest = NAMING.exec(line)?.[1] ?? "";
    return [...rest.matchAll(FAMILY)].some(([, family]) => {
      if (family === "AF_UNIX") return !(UNIX_PATH.exec(rest)?.[1] ?? "").startsWith(`${directory}/`);
      // The kernel's own: which network devices there are.
      if (family === "AF_NETLINK") return false;
      return !(/\bbind\(/.test(line) && LOOPBACK.test(rest));
    });
  });
}

/** Whether the process has ended, and all that it did is in the trace. */
export function isComplete(trace: string, pid: number): boolean {
  return trace.split("\n").some((line) => line.startsWith(`${pid} `) && COMMAND_END.test(line));
}
