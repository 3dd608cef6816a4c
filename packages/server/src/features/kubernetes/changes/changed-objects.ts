import type { Connect } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError, listPath } from '../watch/kube-client.ts'
import { objectFormat } from '../watch/list-format.ts'
import type { RecordedResource } from './recorded-resources.ts'
import type { ObservedCluster, WatchedRow } from './row-sources.ts'

const timeoutMs = 15_000
/** More changed objects than this are read as a list. */
const maxSingleReads = 20

/** The whole objects of rows that changed, by `namespace/name`; without those that were deleted meanwhile. */
export async function readChangedObjects(
  { client, connect }: { client: KubeClient; connect: Connect },
  { id, organizationId }: ObservedCluster,
  resource: RecordedResource,
  rows: readonly WatchedRow[],
): Promise<Map<string, Record<string, unknown>>> {
  if (rows.length === 0) return new Map()
  const connection = await connect(organizationId, id)
  const read = async (path: string) =>
    client.get(connection, path, AbortSignal.timeout(timeoutMs), { timeoutMs })
  return rows.length > maxSingleReads ? readList(read, resource) : readEach(read, resource, rows)
}

async function readList(
  read: (path: string) => Promise<unknown>,
  { path, kind }: RecordedResource,
): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>()
  let token: string | undefined
  do {
    const page = objectFormat.page(await read(listPath(path, token)))
    // Lists leave out what each object would say of itself.
    for (const object of page?.objects ?? []) found.set(keyOf(object), { kind, ...object })
    token = page?.continueToken
  } while (token)
  return found
}

async function readEach(
  read: (path: string) => Promise<unknown>,
  resource: RecordedResource,
  rows: readonly WatchedRow[],
): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>()
  for (const row of rows) {
    try {
      const object = await read(pathOf(resource, row))
      found.set(`${row.namespace}/${row.name}`, object as Record<string, unknown>)
    } catch (error) {
      // Deleted meanwhile: the watch says so next.
      if (!(error instanceof KubeError && error.status === 404)) throw error
    }
  }
  return found
}

function pathOf({ path }: RecordedResource, { namespace, name }: WatchedRow): string {
  if (namespace === '') return `${path}/${encodeURIComponent(name)}`
  const at = path.lastIndexOf('/')
  const [api, plural] = [path.slice(0, at), path.slice(at)]
  return `${api}/namespaces/${namespace}${plural}/${encodeURIComponent(name)}`
}

function keyOf(object: { metadata?: { namespace?: string; name?: string } }): string {
  return `${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}`
}
