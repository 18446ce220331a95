/** Clients of the API are told with these which server and with which key; nothing here reads them. */
const CLIENTS = new Set(["LOREDEX_URL", "LOREDEX_KEY"]);

/** What Kubernetes tells every program of a pod about a service named `loredex`. */
const OF_KUBERNETES = /^LOREDEX_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP)\w*)$/;

/** Whether a variable begins as ours do but is known to be for others. */
export function foreignVariable(variable: string, value: string): boolean {
  const isAddress = variable === "LOREDEX_PORT" && /^(?:tcp|udp):\/\//.test(value);
  return isAddress || CLIENTS.has(variable) || OF_KUBERNETES.test(variable);
}
