import { randomUUID } from 'node:crypto'
import { wantsYaml } from '../http/accept.ts'
import { sendJson, sendText } from '../http/respond.ts'
import { sendList } from '../http/send-list.ts'
import { isObject, type JsonObject } from '../json.ts'
import { apiVersionOf, type Kind } from '../registry/kind.ts'
import { parseFieldSelector, parseLabelSelector } from '../selectors.ts'
import { badRequest, expired, StatusError } from '../status-error.ts'
import { partialMetadata, tableOf, type RowObject } from '../table/table.ts'
import type { KubeObject } from '../types.ts'
import { encode, encodeText } from './coder.ts'
import { viewOf, whole, type ApiRequest } from './request.ts'

export type ObjectTest = (object: KubeObject) => boolean

/** What `labelSelector` and `fieldSelector` of a request select. */
export function selectorOf({ kind, query, name }: ApiRequest): ObjectTest {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '')
  const version = kind.definition?.spec.versions.find((one) => one.name === kind.version)
  const own = version && (version.selectableFields ?? []).map((one) => one.jsonPath.replace(/^\./, ''))
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '', kind.key, own)
  return (object) =>
    labels(object.metadata.labels) && fields(object) && (name === '' || object.metadata.name === name)
}

export function rowObject(query: URLSearchParams): RowObject {
  const value = query.get('includeObject') || 'Metadata'
  if (value === 'Metadata' || value === 'Object' || value === 'None') return value
  throw badRequest(`includeObject: Invalid value: ${JSON.stringify(value)}: unrecognized`)
}

type Page = { items: KubeObject[]; revision: number; continue?: string; remaining?: number }

// Later pages come from the list of the first one, so a reader sees one moment; for a while.
type Kept = { items: KubeObject[]; revision: number; expiresAtMs: number }
const keptMs = 5 * 60 * 1000
const keptAtMost = 64
const kept = new Map<string, Kept>()

function readToken(token: string): { id: string; offset: number } {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['at'] !== 'number') {
    throw badRequest('continue key is not valid: unable to decode the token')
  }
  return { id: value['id'], offset: value['at'] }
}

/** The objects as they were at a revision. Throws 410 where that has been forgotten. */
function itemsAt({ cluster, kind, namespace }: ApiRequest, revision: number): KubeObject[] {
  const changes = cluster.store.since(kind.key, revision)
  if (!changes) throw expired('The resourceVersion for the provided list is too old.')
  const id = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name}`
  const items = new Map(cluster.store.all(kind.key, namespace).map((one) => [id(one), one]))
  for (const { object, old } of changes.toReversed()) {
    if (namespace !== undefined && object.metadata.namespace !== namespace) continue
    if (old) items.set(id(object), old)
    else items.delete(id(object))
  }
  return [...items].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function pageOf(call: ApiRequest): Page {
  const { cluster, query, kind, namespace } = call
  const limit = whole(query, 'limit') ?? 0
  const token = query.get('continue')
  const nowMs = cluster.clock.now()
  let items: KubeObject[]
  let revision: number
  let offset = 0
  let id: string | undefined
  if (token) {
    if (query.get('resourceVersion'))
      throw badRequest('specifying resource version is not allowed when using continue')
    const place = readToken(token)
    const found = kept.get(place.id)
    if (!found || found.expiresAtMs < nowMs) {
      throw expired(
        'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
      )
    }
    items = found.items
    revision = found.revision
    offset = place.offset
    id = place.id
  } else {
    const isSelected = selectorOf(call)
    const exact =
      query.get('resourceVersionMatch') === 'Exact' ? Number(query.get('resourceVersion')) : undefined
    const all =
      kind.computed?.slice() ??
      (exact === undefined ? cluster.store.all(kind.key, namespace) : itemsAt(call, exact))
    items = query.has('labelSelector') || query.has('fieldSelector') ? all.filter(isSelected) : all
    revision = exact ?? cluster.store.revision
  }
  if (limit <= 0 || offset + limit >= items.length)
    return { items: offset === 0 ? items : items.slice(offset), revision }
  if (id === undefined) {
    id = randomUUID()
    for (const [key, one] of kept) if (one.expiresAtMs < nowMs || kept.size >= keptAtMost) kept.delete(key)
    kept.set(id, { items, revision, expiresAtMs: nowMs + keptMs })
  }
  const next = Buffer.from(JSON.stringify({ id, at: offset + limit })).toString('base64url')
  // How much is left is not counted where only some is selected.
  const isWhole = !query.get('labelSelector') && !query.get('fieldSelector')
  return {
    items: items.slice(offset, offset + limit),
    revision,
    continue: next,
    ...(isWhole ? { remaining: items.length - offset - limit } : {}),
  }
}

/** Refuses a list at a revision that is yet to come, as an API server does after waiting for it. */
function checkRevision({ query, cluster }: ApiRequest): void {
  const match = query.get('resourceVersionMatch')
  const text = query.get('resourceVersion')
  if (match !== null && match !== 'Exact' && match !== 'NotOlderThan') {
    throw new StatusError(
      422,
      'Invalid',
      `ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`,
    )
  }
  if (match !== null && !text) {
    throw new StatusError(
      422,
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    )
  }
  if (match !== null && query.get('continue')) {
    throw new StatusError(
      422,
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    )
  }
  if (match === 'Exact' && text === '0') {
    throw new StatusError(
      422,
      'Invalid',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "Exact" is forbidden for resourceVersion "0"',
    )
  }
  if (!text || text === '0') return
  if (!/^\d+$/.test(text))
    throw badRequest(
      `Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    )
  const current = cluster.store.revision
  if (Number(text) > current) {
    const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]
    throw new StatusError(
      504,
      'Timeout',
      `Too large resource version: ${text}, current: ${current}`,
      { causes, retryAfterSeconds: 1 },
      1,
    )
  }
}

function listMetadata(page: Page): JsonObject {
  return {
    resourceVersion: String(page.revision),
    ...(page.continue ? { continue: page.continue } : {}),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  }
}

function listKind(kind: Kind): string {
  return kind.definition?.spec.names.listKind ?? `${kind.kind}List`
}

const itemsInOnePiece = 128

function* textsOf(kind: Kind, items: readonly KubeObject[]): Iterable<string> {
  for (const object of items) yield encodeText(kind, object)
}

function sendItems(
  { kind, request, response }: ApiRequest,
  head: string,
  items: readonly KubeObject[],
): void | Promise<void> {
  if (items.length > itemsInOnePiece && !wantsYaml(request.headers.accept))
    return sendList(response, head, textsOf(kind, items), ']}')
  sendText(response, 200, `${head}${items.map((object) => encodeText(kind, object)).join(',')}]}`)
}

export function handleList(call: ApiRequest): void | Promise<void> {
  const { kind, query, response, cluster } = call
  const view = viewOf(call)
  checkRevision(call)
  const page = pageOf(call)
  if (view === 'table') {
    const metadata = listMetadata(page)
    sendJson(
      response,
      200,
      tableOf(kind, page.items, metadata, cluster.clock.now(), rowObject(query), (object) =>
        encode(kind, object),
      ),
    )
    return
  }
  if (view === 'metadata' || view === 'metadata-list') {
    sendJson(response, 200, {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: listMetadata(page),
      items: page.items.map(partialMetadata),
    })
    return
  }
  const head = JSON.stringify({
    kind: listKind(kind),
    apiVersion: apiVersionOf(kind),
    metadata: listMetadata(page),
  })
  return sendItems(call, `${head.slice(0, -1)},"items":[`, page.items)
}

export function sendObject(call: ApiRequest, object: KubeObject, code = 200): void {
  const { kind, query, response, cluster } = call
  // What a client is sent is on disk.
  cluster.store.flush()
  const view = viewOf(call)
  if (view === 'table') {
    const metadata = { resourceVersion: object.metadata.resourceVersion }
    sendJson(
      response,
      code,
      tableOf(kind, [object], metadata, cluster.clock.now(), rowObject(query), (one) => encode(kind, one)),
    )
  } else if (view === 'metadata') sendJson(response, code, partialMetadata(object))
  else if (code === 200 && object.metadata.resourceVersion) sendText(response, code, encodeText(kind, object))
  else sendJson(response, code, encode(kind, object))
}
