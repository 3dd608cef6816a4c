import { createServer, type Server } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAuthority, createLeaf } from '../../../platform/certificate/certificate.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import { kinds } from '../watch/kinds.ts'

type KubeObject = { metadata: { name: string; namespace?: string; uid?: string; resourceVersion?: string } }
type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

/**
 * A small Kubernetes API server over real TLS: lists and watches of what is put into it, an answer that shows what
 * it was sent for everything else, and upgrades that echo.
 */
export type FakeCluster = {
  connection: ClusterConnection
  /** Requests but for those with which the server keeps up with the cluster for itself. */
  seen: Seen[]
  put(path: string, object: KubeObject, type?: 'ADDED' | 'MODIFIED' | 'DELETED'): void
  /** Answers instead of the defaults; false leaves the request to them. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Watches open now. */
  watches(): number
  /** Ends every watch as a cluster does that has forgotten so old a version. */
  forget(): void
  /** Sends this on every watch, and cuts its connection. */
  cut(text: string): void
  /** Accepts connections and requests from now on, and answers none, like a process that was stopped; until `resume`. */
  hang(): void
  resume(): void
  /**
   * Another cluster behind the same address, or an earlier state of the same one (`uid` left out): no objects but those
   * that are put next, and versions that begin small again. Watches go on and are silent until their version is reached.
   */
  replace(by: { uid?: string; version: number }): void
  /** A kind is served from now on, or is not any more: its objects are gone, and its watches end. */
  serve(path: string, isServed: boolean): void
  /** Lists and watches that were begun, by path; requests that only ask for the version are no lists. */
  begun: { lists: string[]; watches: string[] }
  /** Stops listening and cuts every connection; `start` listens on the same port again by default. */
  stop(): Promise<void>
  start(options?: { isElsewhere?: boolean }): Promise<void>
}

export const fakeToken = 'cluster-token'

export async function fakeCluster({ issuedAt = new Date() } = {}): Promise<FakeCluster> {
  const authority = await createAuthority(new Date())
  const leaf = await createLeaf(authority, ['127.0.0.1', 'localhost'], issuedAt)
  const objects = new Map<string, Map<string, KubeObject>>(
    Object.values(kinds).map(({ path }) => [path, new Map<string, KubeObject>()]),
  )
  const open = new Map<ServerResponse, { path: string; from: number }>()
  const events: { path: string; version: number; line: string }[] = []
  const unserved = new Set<string>()
  let uid = 'uid-of-kube-system'
  let version = 100
  let resumed: PromiseWithResolvers<void> | undefined
  let port = 0
  let server: Server | undefined

  const fake: FakeCluster = {
    connection: { url: '', caPem: authority.certificatePem, token: fakeToken, impersonate: true },
    seen: [],
    begun: { lists: [], watches: [] },
    answer: () => false,
    put(path, object, type = 'ADDED') {
      version += 1
      const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
      const items = objects.get(path) ?? new Map<string, KubeObject>()
      objects.set(path, items)
      const key = `${object.metadata.namespace}/${object.metadata.name}`
      if (type === 'DELETED') items.delete(key)
      else items.set(key, stored)
      const event = { path, version, line: `${JSON.stringify({ type, object: stored })}\n` }
      events.push(event)
      for (const [response, watch] of open) if (isFor(event, watch)) void send(response, event.line)
    },
    hang: () => void (resumed ??= Promise.withResolvers()),
    resume() {
      resumed?.resolve()
      resumed = undefined
    },
    replace(by) {
      uid = by.uid ?? uid
      version = by.version
      events.length = 0
      for (const all of objects.values()) all.clear()
    },
    serve(path, isServed) {
      if (isServed) unserved.delete(path)
      else {
        unserved.add(path)
        for (const [response, watch] of open) if (watch.path === path) response.end()
      }
      objects.set(path, new Map())
    },
    watches: () => open.size,
    forget() {
      for (const response of open.keys()) {
        response.end(
          `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })}\n`,
        )
      }
    },
    cut(text) {
      for (const response of open.keys()) response.write(text, () => response.destroy())
    },
    async stop() {
      const stopped = new Promise((resolve) => server?.close(resolve))
      server?.closeAllConnections()
      await stopped
    },
    async start(options = {}) {
      if (options.isElsewhere) port = 0
      server = createServer({ key: leaf.keyPem, cert: leaf.certificatePem }, (request, response) => {
        void serve(request, response)
      })
      server.on('upgrade', (request, socket) => {
        fake.seen.push({
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body: '',
        })
        socket.on('error', () => socket.destroy())
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\nSet-Cookie: a=b\r\n\r\nhello `,
        )
        socket.pipe(socket)
      })
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port
      fake.connection = { ...fake.connection, url: `https://127.0.0.1:${port}` }
    },
  }

  async function send(response: ServerResponse, line: string): Promise<void> {
    await resumed?.promise
    response.write(line)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => response.destroy())
    const url = new URL(request.url ?? '/', 'https://cluster')
    if (request.headers.authorization !== `Bearer ${fakeToken}`) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return
    }
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    } catch {
      // The caller gave its body up, which leaves nobody to answer.
      return
    }
    await resumed?.promise
    const body = Buffer.concat(chunks).toString()
    if (!isOwnRead(request))
      fake.seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      })
    if (fake.answer(request, response)) return
    if (unserved.has(url.pathname)) {
      response.writeHead(404).end('{}')
      return
    }
    const isVersionAsked = url.searchParams.get('limit') === '1'
    const items = objects.get(url.pathname)
    if (isVersionAsked && url.searchParams.has('fieldSelector')) {
      json(response, list([{ metadata: { name: 'kube-system', uid } }], url, version))
    } else if (request.method !== 'GET' || !items) {
      response.setHeader('set-cookie', 'cluster=1')
      json(response, { kind: 'Echo', method: request.method, body })
    } else if (url.searchParams.get('watch')) {
      fake.begun.watches.push(url.pathname)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.flushHeaders()
      const from = Number(url.searchParams.get('resourceVersion') ?? version)
      const watch = { path: url.pathname, from }
      for (const event of events) if (isFor(event, watch)) response.write(event.line)
      open.set(response, watch)
      response.on('close', () => open.delete(response))
    } else {
      if (!isVersionAsked) fake.begun.lists.push(url.pathname)
      json(response, list([...items.values()], url, version))
    }
  }

  await fake.start()
  return fake
}

const isOwnRead = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && headers['user-agent'] === 'bey' && headers['impersonate-user'] === undefined

/** As upstream: only what is newer than the version that the watch began at, even where that lies in the future. */
const isFor = (event: { path: string; version: number }, watch: { path: string; from: number }) =>
  event.path === watch.path && event.version > watch.from

function list(items: KubeObject[], url: URL, version: number): unknown {
  const limit = Number(url.searchParams.get('limit') ?? 500)
  const from = Number(url.searchParams.get('continue') ?? 0)
  const rest = items.length > from + limit ? String(from + limit) : undefined
  return {
    kind: 'List',
    metadata: { resourceVersion: String(version), ...(rest && { continue: rest }) },
    items: items.slice(from, from + limit),
  }
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
