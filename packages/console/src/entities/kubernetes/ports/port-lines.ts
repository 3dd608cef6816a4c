export interface ForwardedPort {
  /** Empty where it has none. */
  name: string
  port: number
  protocol: string
}

export interface PortsTarget {
  resource: 'pods' | 'services'
  namespace: string
  name: string
}

/** The kubectl line that forwards a port of this machine. Ports below 1024 need rights here, so 8000 is added. */
export function forwardCommand({ resource, namespace, name }: PortsTarget, { port }: ForwardedPort): string {
  const kind = resource === 'services' ? 'svc' : 'pod'
  const local = port < 1024 ? port + 8000 : port
  return `kubectl port-forward -n ${namespace} ${kind}/${name} ${local}:${port}`
}

/** Where the API server's own proxy serves an HTTP port. */
export function proxyPath({ resource, namespace, name }: PortsTarget, { port }: ForwardedPort): string {
  const scheme = port === 443 || port === 8443 ? 'https' : 'http'
  return `/api/v1/namespaces/${namespace}/${resource}/${scheme}:${name}:${port}/proxy/`
}
