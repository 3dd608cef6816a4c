import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from 'node:http'
import { WebSocketServer } from 'ws'
import type { Cluster } from '../api/context.ts'
import { requireAccess, requireImpersonation } from '../api/router.ts'
import { authenticate, type User } from '../http/authenticate.ts'
import { parseResourcePath } from '../http/request-info.ts'
import { badRequest, methodNotAllowed, pathNotFound, statusBody, StatusError } from '../status-error.ts'
import { pods, type Container, type Pod } from '../types.ts'
import { requireKubelet } from '../nodes/reach.ts'
import { containersOf, statusesOf } from '../nodes/pod-status.ts'
import { serveAttach } from './attach.ts'
import { serveExec } from './exec.ts'
import {
  portForwardChannels,
  portForwardProtocols,
  portsOf,
  serveChannelPortForward,
  servePortForward,
  serveSpdyPortForward,
} from './port-forward.ts'
import { admitConnection } from './connect.ts'
import { execProtocols } from './session.ts'
import { openSpdySession, spdyProtocol } from './spdy-session.ts'

// The slash in this protocol's name is against RFC 6455 and the library's parser; it goes by another name inside.
const alias = 'spdy-3.1-portforward.k8s.io'
const mostMessageBytes = 16 * 1024 * 1024

function refuse(socket: Duplex, error: StatusError): void {
  const body = JSON.stringify(statusBody(error))
  const head = `HTTP/1.1 ${error.code} ${STATUS_CODES[error.code] ?? ''}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`
  socket.end(head + body)
}

function runningContainer(pod: Pod, wanted: string | null): Container {
  const [first] = pod.spec.containers
  const name = wanted || pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'] || first?.name
  const container = containersOf(pod).find((one) => one.name === name)
  if (!container) throw badRequest(`container ${name} is not valid for pod ${pod.metadata.name}`)
  const status = statusesOf(pod.status).find((one) => one.name === name)
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') {
    throw badRequest(`cannot exec into a container in a completed pod; current phase is ${pod.status.phase}`)
  }
  if (!status?.state?.running)
    throw badRequest(`unable to upgrade connection: container not found ("${name}")`)
  return container
}

/** Answers requests that want to become a WebSocket: exec, attach and port-forward. */
export function upgradeHandler(cluster: Cluster, resolve: (token: string) => User | undefined) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: mostMessageBytes,
    handleProtocols: (offered) => [...execProtocols, alias].find((one) => offered.has(one)) ?? false,
  })

  sockets.on('headers', (lines) => {
    const place = lines.indexOf(`Sec-WebSocket-Protocol: ${alias}`)
    if (place >= 0) lines[place] = `Sec-WebSocket-Protocol: ${portForwardProtocols[0]}`
  })

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '/', 'https://sandbox')
    const path = parseResourcePath(url.pathname)
    if (!path || path.group !== '' || path.resource !== 'pods' || !path.name) throw pathNotFound()
    const who = authenticate(request, resolve)
    requireImpersonation(cluster, who)
    const { namespace = '', name, subresource = '' } = path
    if (!['exec', 'attach', 'portforward'].includes(subresource)) throw methodNotAllowed()
    const verb = request.method === 'POST' ? 'create' : 'get'
    requireAccess(cluster, who.user, { verb, group: '', resource: 'pods', subresource, namespace, name })
    cluster.resources.get(cluster.registry.stored(pods.key), namespace, name)
    const asked = cluster.store.get(pods, namespace, name)
    const query = url.searchParams
    if (asked) await admitConnection(cluster, who.user, asked, subresource, query)
    const pod = cluster.store.get(pods, namespace, name)
    if (!pod) throw pathNotFound()
    if (pod.spec.nodeName) requireKubelet(cluster, pod, () => 'error dialing backend')
    const upgrade = request.headers.upgrade?.toLowerCase()
    if (upgrade === 'spdy/3.1' && subresource === 'portforward' && pod.status?.phase === 'Running') {
      serveSpdyPortForward(socket, head, pod)
      return
    }
    if (upgrade === 'spdy/3.1' && subresource !== 'portforward') {
      const container = runningContainer(pod, query.get('container'))
      const protocol = spdyProtocol(request.headers['x-stream-protocol-version'])
      if (!protocol) throw badRequest('unable to upgrade: none of the stream protocols is supported')
      const serve = subresource === 'exec' ? serveExec : serveAttach
      openSpdySession({ socket, head, query }, protocol, (opened) =>
        serve(opened, { cluster, pod, container, query }),
      )
      return
    }
    if (upgrade !== 'websocket') throw badRequest('only upgrades to websocket and SPDY/3.1 are understood')
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
    const known =
      subresource === 'portforward' ? [...portForwardProtocols, ...portForwardChannels] : execProtocols
    if (!offered.some((one) => known.includes(one))) {
      throw badRequest(`unable to upgrade: none of the protocols ${offered.join(', ')} is supported`)
    }
    if (subresource === 'portforward' && pod.status?.phase !== 'Running') {
      throw badRequest(
        `unable to forward port because pod is not running. Current status=${pod.status?.phase}`,
      )
    }
    const container =
      subresource === 'portforward' ? pod.spec.containers[0] : runningContainer(pod, query.get('container'))
    if (!container) throw pathNotFound()
    const inChannels = offered.includes(portForwardProtocols[0] ?? '')
      ? undefined
      : portForwardChannels.find((one) => offered.includes(one))
    const ports = subresource === 'portforward' && inChannels ? portsOf(query) : []
    if (subresource === 'portforward') request.headers['sec-websocket-protocol'] = inChannels ?? alias
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => opened.terminate())
      if (subresource === 'exec') serveExec(opened, { cluster, pod, container, query })
      else if (subresource === 'attach') serveAttach(opened, { cluster, pod, container, query })
      else if (inChannels) serveChannelPortForward(opened, pod, ports, cluster.forwardedPorts)
      else servePortForward(opened, pod)
    })
  }

  return {
    handle(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on('error', () => socket.destroy())
      accept(request, socket, head).catch((error: unknown) => {
        if (error instanceof StatusError) return refuse(socket, error)
        cluster.report(error)
        refuse(socket, new StatusError(500, 'InternalError', 'Internal error occurred'))
      })
    },
    stop(): void {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
    },
  }
}
