import type { ApiRequest } from '../api/request.ts'
import { kubeletAnswer } from '../nodes/kubelet-pages.ts'
import { isUnreachable } from '../nodes/reach.ts'
import { answerOf, backendOf, type Answer } from '../nodes/shell-network.ts'
import { notFound, StatusError } from '../status-error.ts'
import { nodes, pods, services, type Pod } from '../types.ts'

type Target = { scheme: string; name: string; port: string }
type Backend = { pod: Pod; port: number | undefined }

/** What represents a pod or service in the path of its proxy: `name`, `name:port` or `https:name:port`. */
function parseTarget(text: string): Target {
  const parts = text.split(':')
  const [scheme = '', name = '', port = ''] = parts.length > 2 ? parts : ['http', ...parts]
  return { scheme: scheme || 'http', name, port }
}

function unavailable(message: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message)
}

function podBackend({ cluster, kind, namespace }: ApiRequest, { name, port }: Target): Backend {
  const pod = cluster.store.get(pods, namespace, name)
  if (!pod) throw notFound(kind, name)
  const declared = pod.spec.containers.flatMap((container) => container.ports ?? [])[0]?.containerPort
  return { pod, port: port ? Number(port) : (declared ?? 80) }
}

function serviceBackend({ cluster, kind, namespace }: ApiRequest, { name, port }: Target): Backend {
  const service = cluster.store.get(services, namespace, name)
  if (!service) throw notFound(kind, name)
  const ports = service.spec.ports ?? []
  const found = ports.find((one) => one.name === port || String(one.port) === port)
  const wanted = port === '' && ports.length === 1 ? ports[0] : found
  const backend = wanted && backendOf(cluster, service, wanted.port)
  if (!backend) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`)
  return backend
}

function askNode({ cluster, kind }: ApiRequest, { name, port }: Target, path: string): Answer {
  const node = cluster.store.get(nodes, undefined, name)
  if (!node) throw notFound(kind, name)
  const address = node.status?.addresses?.find((one) => one.type === 'InternalIP')?.address
  const kubelet = node.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 10_250
  const isSilent =
    cluster.power.isOff(name) ||
    node.status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'Unknown')
  const failed = (why: string) =>
    unavailable(`error trying to reach service: dial tcp ${address}:${port || kubelet}: ${why}`)
  if (isSilent) throw failed('i/o timeout')
  if (port !== '' && port !== String(kubelet)) throw failed('connect: connection refused')
  return kubeletAnswer(cluster, node, path)
}

function ask(call: ApiRequest, target: Target, path: string): Answer {
  const { cluster, kind, request } = call
  if (kind.key === nodes.key) return askNode(call, target, path)
  const { pod, port } = kind.key === services.key ? serviceBackend(call, target) : podBackend(call, target)
  const failed = (why: string) => unavailable(`error trying to reach service: ${why}`)
  const address = pod.status?.podIP
  if (address === undefined) throw failed('address not allowed')
  if (isUnreachable(cluster, pod)) throw failed(`dial tcp ${address}:${port}: connect: no route to host`)
  const answer =
    pod.status?.phase === 'Running' && port !== undefined
      ? answerOf(cluster, pod, port, request.method ?? 'GET', path)
      : undefined
  if (!answer) throw failed(`dial tcp ${address}:${port}: connect: connection refused`)
  if (target.scheme === 'https') throw failed('tls: first record does not look like a TLS handshake')
  return answer
}

/** Passes a request on to the simulated program behind a pod, a service or a node. Throws 503 where nothing listens. */
export function handleProxy(call: ApiRequest): void {
  const { response, request, name } = call
  const { pathname, search } = new URL(request.url ?? '/', 'https://sandbox')
  // What follows the subresource, with the slash at its end that a parsed path has lost.
  const path = pathname
    .split('/')
    .slice(call.kind.namespaced ? 8 : 6)
    .join('/')
  const { status, type, body } = ask(call, parseTarget(name), `/${path}${search}`)
  response.writeHead(Number(status.split(' ')[0]), { 'Content-Type': type, 'Content-Length': body.length })
  response.end(request.method === 'HEAD' ? undefined : body)
}
