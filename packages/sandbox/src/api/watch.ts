import type { JsonObject } from '../json.ts'
import { apiVersionOf } from '../registry/kind.ts'
import { badRequest, expired, statusBody, StatusError } from '../status-error.ts'
import type { Change } from '../store/store.ts'
import { partialMetadata, tableOf } from '../table/table.ts'
import type { KubeObject } from '../types.ts'
import { encode, encodeText } from './coder.ts'
import { rowObject, selectorOf } from './list.ts'
import { isTrue, viewOf, whole, type ApiRequest } from './request.ts'

const bookmarkMs = 60_000
const leastTimeoutMs = 30 * 60_000
/** A watcher that does not read is cut off rather than remembered without end. */
const mostUnreadBytes = 16 * 1024 * 1024

function startOf({ query, cluster }: ApiRequest): number | undefined {
  const text = query.get('resourceVersion')
  if (!text || text === '0') return undefined
  if (!/^\d+$/.test(text)) {
    throw badRequest(
      `Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    )
  }
  return Math.min(Number(text), cluster.store.revision)
}

// One text per change serves every watcher of plain objects.
const lines = new WeakMap<Change, string>()

/** Streams the changes of a kind as lines of JSON until the client leaves or its time is up. */
export function handleWatch(call: ApiRequest): void {
  const { cluster, kind, namespace, query, request, response } = call
  if (query.has('sendInitialEvents')) {
    const causes = [
      {
        reason: 'FieldValueForbidden',
        message:
          'Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
        field: 'sendInitialEvents',
      },
    ]
    throw new StatusError(
      422,
      'Invalid',
      `ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: ${causes[0]?.message}`,
      { group: 'meta.k8s.io', kind: 'ListOptions', causes },
    )
  }
  const view = viewOf(call)
  const isSelected = selectorOf(call)
  const rows = rowObject(query)
  const isPlain = view === 'object'
  const timeoutSeconds = whole(query, 'timeoutSeconds')
  let hasColumns = false

  const body = (object: KubeObject): JsonObject => {
    if (view === 'table') {
      const metadata = { resourceVersion: object.metadata.resourceVersion }
      const table = tableOf(
        kind,
        [object],
        metadata,
        cluster.clock.now(),
        rows,
        (one) => encode(kind, one),
        !hasColumns,
      )
      hasColumns = true
      return table
    }
    return isPlain ? encode(kind, object) : partialMetadata(object)
  }
  let unreadAtStart = 0
  const write = (line: string) => {
    if (response.writableLength > mostUnreadBytes + unreadAtStart) response.destroy()
    else response.write(line)
  }
  const send = (type: Change['type'], object: KubeObject, change?: Change) => {
    if (!isPlain) return write(`${JSON.stringify({ type, object: body(object) })}\n`)
    const isShared = change !== undefined && change.type === type && !kind.convert && !kind.definition
    let line = isShared ? lines.get(change) : undefined
    if (line === undefined) {
      line = `{"type":"${type}","object":${encodeText(kind, object)}}\n`
      if (isShared) lines.set(change, line)
    }
    write(line)
  }
  let last = cluster.store.revision
  const hear = (change: Change) => {
    if (change.revision <= last) return
    last = change.revision
    if (namespace !== undefined && change.object.metadata.namespace !== namespace) return
    const isIn = change.type !== 'DELETED' && isSelected(change.object)
    const wasIn = change.old !== undefined && isSelected(change.old)
    if (isIn) send(wasIn ? 'MODIFIED' : 'ADDED', change.object, change)
    else if (wasIn) {
      send('DELETED', change.object, change)
    }
  }

  const start = startOf(call)
  const past = start === undefined ? [] : cluster.store.since(kind.key, start)
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' })
  response.flushHeaders()
  if (past === undefined) {
    const error = expired(`too old resource version: ${start} (${cluster.store.revision})`)
    response.end(`${JSON.stringify({ type: 'ERROR', object: statusBody(error) })}\n`)
    return
  }
  if (start === undefined) {
    // What there is already may be more than a watcher is allowed to fall behind with later.
    unreadAtStart = Infinity
    for (const object of cluster.store.all(kind.key, namespace)) if (isSelected(object)) send('ADDED', object)
    unreadAtStart = response.writableLength
  } else {
    last = start
    for (const change of past) hear(change)
    last = Math.max(last, cluster.store.revision)
  }
  const stop = cluster.store.subscribe(kind.key, hear)

  const bookmark = () => {
    const metadata = { resourceVersion: String(last), creationTimestamp: null }
    const object: JsonObject =
      view === 'table'
        ? {
            kind: 'Table',
            apiVersion: 'meta.k8s.io/v1',
            metadata: { resourceVersion: String(last) },
            columnDefinitions: [],
            rows: [],
          }
        : { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata }
    write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`)
  }
  let cancelBookmark: () => void = () => undefined
  const plan = () => {
    cancelBookmark = cluster.clock.after(bookmarkMs, () => {
      // After delivery nothing has been missed up to the newest revision of any kind.
      cluster.store.deliver()
      last = Math.max(last, cluster.store.revision)
      bookmark()
      plan()
    })
  }
  const wantsBookmarks = isTrue(query, 'allowWatchBookmarks')
  if (wantsBookmarks) plan()
  const lifeMs = timeoutSeconds ? timeoutSeconds * 1000 : leastTimeoutMs * (1 + cluster.random())
  const cancelEnd = cluster.clock.after(lifeMs, () => {
    if (wantsBookmarks) bookmark()
    // What falls due until the connection has closed would be written after the end.
    leave()
    response.end()
  })
  const leave = () => {
    stop()
    cancelBookmark()
    cancelEnd()
  }
  response.once('close', leave)
  request.once('aborted', leave)
}
