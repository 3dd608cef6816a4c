import type { Endpoint } from './endpoint.ts'

const shapes =
  'Name it as pod:shop/web-1, workload:shop/web, namespace:shop, service:shop/web, ingress:shop/web, address:10.0.0.1, node:worker-1 or database:7.'

/** How an endpoint is named in addresses and queries: `workload:shop/search`, `address:10.0.0.0/8`. */
export function endpointName(endpoint: Endpoint): string {
  switch (endpoint.kind) {
    case 'address':
      return `address:${endpoint.address}`
    case 'database':
      return `database:${endpoint.id}`
    case 'namespace':
    case 'node':
      return `${endpoint.kind}:${endpoint.name}`
    case 'workload': {
      const { namespace, workloadKind, name } = endpoint
      return `workload:${namespace}/${workloadKind === undefined ? '' : `${workloadKind}/`}${name}`
    }
    default:
      return `${endpoint.kind}:${endpoint.namespace}/${endpoint.name}`
  }
}

/** The endpoint that a text of that form names, or the sentence that says what is wrong with it. */
export function parseEndpointName(text: string): Endpoint | string {
  const match = /^([a-z]+):(.+)$/.exec(text)
  const [, kind = '', rest = ''] = match ?? []
  const wrong = `"${text}" names no end of a flow. ${shapes}`
  if (kind === 'address') return { kind, address: rest }
  if (kind === 'database') return { kind, id: rest }
  const parts = rest.split('/')
  if (parts.some((part) => part === '')) return wrong
  const [first = '', second, third] = parts
  if (kind === 'namespace' || kind === 'node') return parts.length === 1 ? { kind, name: first } : wrong
  if (kind === 'workload' && second !== undefined && parts.length === 3)
    return { kind, namespace: first, workloadKind: second, name: third ?? '' }
  if (second === undefined || parts.length !== 2) return wrong
  if (kind === 'pod' || kind === 'workload' || kind === 'service' || kind === 'ingress')
    return { kind, namespace: first, name: second }
  return wrong
}
