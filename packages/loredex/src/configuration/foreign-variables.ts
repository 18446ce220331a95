/** The variables for clients of the API: the server and the key. No setting reads them. */
const CLIENTS = new Set(["LOREDEX_URL", "LOREDEX_KEY"]);

/** The variables that Kubernetes gives every program of a pod for a service named `loredex`. */
const OF_KUBERNETES = /^LOREDEX_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP)\w*)$/;

/** Whether a variable has our prefix but is known to belong to others. */
export function foreignVariable(variable: string, value: string): boolean {
  const isAddress = variable === "LOREDEX_PORT" && /^(?:tcp|udp):\/\//.test(value);
  return isAddress || CLIENTS.has(variable) || OF_KUBERNETES.test(variable);
}
