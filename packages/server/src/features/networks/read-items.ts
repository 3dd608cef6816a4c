import { type Cluster, type KubeAnswer, refusalOf } from '../../platform/clusters/open-cluster.ts'

type Listed = { items?: Record<string, unknown>[]; metadata?: { continue?: string } }

/** All objects of a list, such as `/api/v1/services`. Throws ClusterFailure, also where Bey may not read them. */
export async function readItems<T>(cluster: Cluster, path: string): Promise<T[]> {
  const read = await readPages<T>(cluster, path)
  if ('refused' in read) throw refusalOf(read.refused, `list ${nameOf(path)}`)
  return read.items
}

/** The same; none where the cluster does not serve the kind or Bey may not read it. */
export async function readItemsIfServed<T>(cluster: Cluster, path: string): Promise<T[]> {
  const read = await readPages<T>(cluster, path)
  if (!('refused' in read)) return read.items
  if (read.refused.status === 404 || read.refused.status === 403) return []
  throw refusalOf(read.refused, `list ${nameOf(path)}`)
}

async function readPages<T>(
  cluster: Cluster,
  path: string,
): Promise<{ items: T[] } | { refused: KubeAnswer }> {
  const items: T[] = []
  let from = ''
  do {
    const [base = '', query] = path.split('?')
    const search = `${query ? `${query}&` : ''}limit=500${from && `&continue=${encodeURIComponent(from)}`}`
    const answer = await cluster({ method: 'GET', path: `${base}?${search}` })
    if (answer.status !== 200) return { refused: answer }
    // A list by the Kubernetes API, whose shape is its contract.
    const list = answer.body as Listed
    items.push(...((list.items ?? []) as T[]))
    from = list.metadata?.continue ?? ''
  } while (from !== '')
  return { items }
}

const nameOf = (path: string) => path.split('?')[0]?.split('/').at(-1) ?? path
