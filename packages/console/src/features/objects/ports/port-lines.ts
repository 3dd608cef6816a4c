export interface ForwardedPort {
  /** Empty where it has none. */
  name: string
  port: number
  protocol: string
}

export interface PortsTarget {
  clusterTitle: string
  resource: 'pods' | 'services'
  namespace: string
  name: string
}

/** The kubectl line that forwards a port of this machine, in the context of the kubeconfig that Bey gives. Ports below 1024 need rights here, so 8000 is added. */
export function forwardCommand(target: PortsTarget, { port }: ForwardedPort): string {
  const { clusterTitle, resource, namespace, name } = target
  const context = `bey-${clusterTitle}`
  const shown = /^[\w.-]+$/.test(context) ? context : `'${context.replaceAll("'", `'\\''`)}'`
  const kind = resource === 'services' ? 'svc' : 'pod'
  const local = port < 1024 ? port + 8000 : port
  return `kubectl --context ${shown} port-forward -n ${namespace} ${kind}/${name} ${local}:${port}`
}

/** Where the API server's own proxy serves an HTTP port. */
export function proxyPath({ resource, namespace, name }: PortsTarget, { port }: ForwardedPort): string {
  const scheme = port === 443 || port === 8443 ? 'https' : 'http'
  return `/api/v1/namespaces/${namespace}/${resource}/${scheme}:${name}:${port}/proxy/`
}
