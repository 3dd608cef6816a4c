import { isUnreachable } from './reach.ts'
import type { Cluster } from '../api/context.ts'
import { isReady } from '../controllers/pod-state.ts'
import { endpointSlices, pods, services, type Pod, type Service } from '../types.ts'
import { droppedAt, type End, type Port, type Protocol } from '../network/policy-verdict.ts'
import { filesOf } from './container-files.ts'

const domain = 'cluster.local'
export const nameServer = '10.96.0.10'

/** What a name or address leads to, for somebody in a namespace; `name` is the full one. */
type Found = { name: string; addresses: string[]; service?: Service; pod?: Pod }

function podAt({ store }: Cluster, address: string): Pod | undefined {
  return store.list(pods).find((pod) => pod.status?.podIP === address && pod.status.phase === 'Running')
}

function readyAddresses({ store }: Cluster, { metadata }: Service): string[] {
  return store
    .list(endpointSlices, metadata.namespace)
    .filter((slice) => slice.metadata.labels?.['kubernetes.io/service-name'] === metadata.name)
    .flatMap((slice) => slice.endpoints ?? [])
    .filter((endpoint) => endpoint.conditions?.ready !== false)
    .flatMap((endpoint) => endpoint.addresses)
}

function findService(cluster: Cluster, labels: string[], from: string): Found | undefined {
  const [name = '', namespace = from] = labels
  const service = cluster.store.get(services, namespace, name)
  if (!service) return undefined
  const full = `${name}.${namespace}.svc.${domain}`
  const { clusterIP, type } = service.spec
  if (type === 'ExternalName') return undefined
  const addresses = clusterIP && clusterIP !== 'None' ? [clusterIP] : readyAddresses(cluster, service)
  return addresses.length > 0 ? { name: full, addresses, service } : undefined
}

/** A pod behind a headless service: `web-0.web.shop.svc.cluster.local`. */
function findMember(cluster: Cluster, labels: string[], from: string): Found | undefined {
  const [host = '', subdomain = '', namespace = from] = labels
  const pod = cluster.store.get(pods, namespace, host)
  if (!pod?.status?.podIP || pod.spec.subdomain !== subdomain) return undefined
  const name = `${host}.${subdomain}.${namespace}.svc.${domain}`
  return { name, addresses: [pod.status.podIP], pod }
}

const endOf = (pod: Pod): End => ({ pod, addresses: pod.status?.podIP ? [pod.status.podIP] : [] })

/** Whether a pod's packets get to the other end; the attempt is kept among the observed flows. */
function passes(cluster: Cluster, own: Pod, to: End, port: Port, service?: Service): boolean {
  const from = endOf(own)
  const dropped = droppedAt(cluster, from, to, port)
  cluster.flows.record(cluster, { from, to, port, dropped, ...(service ? { service } : {}) })
  return dropped === undefined
}

/** Whether the policies let a pod ask the cluster's DNS: its pods where there are some, else its address. */
export function reachesNameServer(cluster: Cluster, own: Pod): boolean {
  const service = cluster.store.get(services, 'kube-system', 'kube-dns')
  const backend = service && backendOf(cluster, service, 53)
  const to = backend ? endOf(backend.pod) : { addresses: [nameServer] }
  return passes(cluster, own, to, { protocol: 'UDP', port: backend?.port ?? 53 }, backend && service)
}

/**
 * Resolves a name as the cluster's DNS does for a pod in a namespace. Nothing outside the cluster is known, and nothing is
 * where policies keep the pod from the DNS.
 */
export function resolve(cluster: Cluster, own: Pod, host: string): Found | undefined {
  const from = own.metadata.namespace ?? 'default'
  if (host === 'localhost' || host === '127.0.0.1' || host === own.metadata.name)
    return {
      name: host,
      addresses: [host === own.metadata.name ? (own.status?.podIP ?? '') : '127.0.0.1'],
      pod: own,
    }
  if (/^\d+(\.\d+){3}$/.test(host)) {
    const service = cluster.store.list(services).find((one) => one.spec.clusterIP === host)
    const pod = podAt(cluster, host)
    return { name: host, addresses: [host], ...(service ? { service } : {}), ...(pod ? { pod } : {}) }
  }
  if (!reachesNameServer(cluster, own)) return undefined
  const short = host.replace(/\.$/, '').replace(/\.svc(\.cluster\.local)?$/, '')
  const labels = short.split('.')
  if (labels.length > 3) return undefined
  const isFull = short !== host.replace(/\.$/, '')
  const service =
    labels.length <= 2 && (!isFull || labels.length === 2) ? findService(cluster, labels, from) : undefined
  return service ?? (labels.length >= 2 ? findMember(cluster, labels, from) : undefined)
}

function listeningContainer(pod: Pod, port: number): Pod['spec']['containers'][number] | undefined {
  return pod.spec.containers.find(
    ({ image = '', ports = [] }) =>
      ports.some((one) => one.containerPort === port) ||
      // Images that everybody knows listen although the pod does not say so.
      (/nginx|httpd/.test(image) && port === 80) ||
      (/redis/.test(image) && port === 6379),
  )
}

function targetPort(service: Service, pod: Pod, port: number): number | undefined {
  const one = service.spec.ports?.find((each) => each.port === port)
  if (!one) return undefined
  if (typeof one.targetPort !== 'string') return one.targetPort ?? port
  return pod.spec.containers
    .flatMap((container) => container.ports ?? [])
    .find((each) => each.name === one.targetPort)?.containerPort
}

export type Answer = { status: string; type: string; server: string; body: Buffer }
export type Connection =
  | { outcome: 'answered'; address: string; answer: Answer }
  | { outcome: 'unknown host' }
  | { outcome: 'refused' | 'timed out' | 'untrusted'; address: string }

const notFound = (server: string) =>
  `<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>${server}</center>\r\n</body>\r\n</html>\r\n`

/** What the program that listens at a port of a pod answers; undefined where none does. */
export function answerOf(
  cluster: Cluster,
  pod: Pod,
  port: number,
  method: string,
  path: string,
): Answer | undefined {
  const container = listeningContainer(pod, port)
  if (!container) return undefined
  const image = container.image ?? ''
  if (/nginx/.test(image)) {
    const version = /:(\d+\.\d+(\.\d+)?)/.exec(image)?.[1]
    const server = version ? `nginx/${version}` : 'nginx'
    const page = path.split('?')[0] ?? '/'
    const files = filesOf(cluster, pod, container)
    const body = files.get(`/usr/share/nginx/html${page.endsWith('/') ? `${page}index.html` : page}`)
    if (body) return { status: '200 OK', type: 'text/html', server, body }
    return { status: '404 Not Found', type: 'text/html', server, body: Buffer.from(notFound(server)) }
  }
  if (/httpd/.test(image)) {
    const body = Buffer.from('<html><body><h1>It works!</h1></body></html>\n')
    return { status: '200 OK', type: 'text/html', server: 'Apache/2.4 (Unix)', body }
  }
  const { name, namespace } = pod.metadata
  const body = Buffer.from(`${JSON.stringify({ pod: name, namespace, method, path })}\n`)
  return { status: '200 OK', type: 'application/json', server: 'sandbox', body }
}

/** A ready pod behind a service, with the port of its own that one of the service leads to. */
export function backendOf(
  cluster: Cluster,
  service: Service,
  port: number,
): { pod: Pod; port: number | undefined } | undefined {
  const pod = readyAddresses(cluster, service)
    .map((one) => podAt(cluster, one))
    .find((one) => one && isReady(one))
  return pod && { pod, port: targetPort(service, pod, port) }
}

/** Where a connection ends: at a program of a pod, or why it does not. */
export type Dialled =
  | { outcome: 'open'; address: string; pod: Pod; port: number }
  | { outcome: 'unknown host' }
  | { outcome: 'refused' | 'timed out' | 'api server'; address: string }

/** Opens a connection from a pod to a port of a name or address, through services and policies. */
export function dial(
  cluster: Cluster,
  own: Pod,
  host: string,
  port: number,
  protocol: Protocol = 'TCP',
): Dialled {
  const found = resolve(cluster, own, host)
  if (!found) return { outcome: 'unknown host' }
  const [address = ''] = found.addresses
  const { service } = found
  const outside = { addresses: [address] }
  if (service?.metadata.name === 'kubernetes' && service.metadata.namespace === 'default') {
    const isOpen = passes(cluster, own, outside, { protocol, port }, service)
    return { outcome: port === 443 && isOpen ? 'api server' : 'timed out', address }
  }
  let pod = found.pod ?? (service ? undefined : podAt(cluster, address))
  let to: number | undefined = port
  if (service) {
    const isHeadless = service.spec.clusterIP === 'None'
    // Nothing answers for a port that the service does not have; one without pods refuses.
    if (!isHeadless && !service.spec.ports?.some((one) => one.port === port))
      return { outcome: 'timed out', address }
    const backend = backendOf(cluster, service, port)
    pod = backend?.pod
    if (backend && !isHeadless) to = backend.port
    if (!pod) return { outcome: 'refused', address }
  } else if (!pod) {
    passes(cluster, own, outside, { protocol, port })
    return { outcome: 'timed out', address }
  }
  if (to === undefined) return { outcome: 'refused', address }
  // A packet that is dropped is never answered, whether or not a program listens.
  if (!passes(cluster, own, endOf(pod), { protocol, port: to }, service))
    return { outcome: 'timed out', address }
  if (isUnreachable(cluster, pod)) return { outcome: 'timed out', address }
  return listeningContainer(pod, to)
    ? { outcome: 'open', address, pod, port: to }
    : { outcome: 'refused', address }
}

/** Sends one HTTP request from a pod to where a URL leads. */
export function connect(cluster: Cluster, own: Pod, url: URL, method: string): Connection {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const dialled = dial(cluster, own, url.hostname, port)
  if (dialled.outcome === 'unknown host') return dialled
  const { address } = dialled
  if (dialled.outcome !== 'open')
    return { outcome: dialled.outcome === 'api server' ? 'untrusted' : dialled.outcome, address }
  if (url.protocol === 'https:') return { outcome: 'untrusted', address }
  const answer = answerOf(cluster, dialled.pod, dialled.port, method, url.pathname + url.search)
  return answer ? { outcome: 'answered', address, answer } : { outcome: 'refused', address }
}
