import { ClusterFailure, openCluster } from '../../platform/clusters/open-cluster.ts'
import { AppError } from '../../platform/errors.ts'
import type { Cluster, IngressParts } from './parts.ts'
import { readCertificate, type ReadCertificate } from './read-certificate.ts'

export type SecretName = { namespace: string; name: string }

/** What is known of the certificate in a Secret. `unread`: the cluster does not let it be read, or does not answer. */
export type FoundCertificate = ReadCertificate | { missing: true } | { unread: string }

const secrets = { name: 'secrets', path: '/api/v1/secrets', isNamespaced: true }
/** For so long what was read is kept where no watch says whether the Secret changed. */
const keepMs = 60_000
/** Requests to one cluster at a time. */
const atOnce = 6
const maxKept = 20_000

type Kept = { version: string | undefined; readAtMs: number; found: FoundCertificate }

/**
 * Reads certificates from the Secrets that are named to it. Which Secrets changed is watched by their metadata alone; one
 * is fetched when it is named and whenever it changed. Its private key is in the reply of the cluster, and nowhere after.
 */
export function createCertificateReader({ clusters, cache, clock }: IngressParts) {
  const kept = new Map<string, Kept>()

  /** Versions of Secrets; undefined where they cannot be watched. */
  async function versionsOf(cluster: Cluster): Promise<Map<string, string> | undefined> {
    try {
      const { table, isLive } = await cache.readRows(cluster, secrets)
      if (!isLive) return undefined
      return new Map(
        [...table.values()].map(({ namespace, name, version }) => [`${namespace}/${name}`, version]),
      )
    } catch (error) {
      if (error instanceof AppError) return undefined
      throw error
    }
  }

  return async function read(
    cluster: Cluster,
    wanted: readonly SecretName[],
  ): Promise<Map<string, FoundCertificate>> {
    const result = new Map<string, FoundCertificate>()
    if (wanted.length === 0) return result
    const versions = await versionsOf(cluster)
    const fetched: SecretName[] = []
    for (const secret of wanted) {
      const name = `${secret.namespace}/${secret.name}`
      const key = `${cluster.id}/${name}`
      const version = versions?.get(name)
      if (versions && version === undefined) {
        kept.delete(key)
        result.set(name, { missing: true })
        continue
      }
      const known = kept.get(key)
      const isCurrent =
        known &&
        (version === undefined ? clock.monotonicMs() - known.readAtMs < keepMs : known.version === version)
      if (isCurrent) result.set(name, known.found)
      else fetched.push(secret)
    }
    if (fetched.length > 0) await fetchAll(cluster, fetched, versions, result)
    return result
  }

  async function fetchAll(
    cluster: Cluster,
    fetched: readonly SecretName[],
    versions: Map<string, string> | undefined,
    result: Map<string, FoundCertificate>,
  ): Promise<void> {
    const open = await openCluster(
      {
        ...clusters,
        send: (connection, request) =>
          cache.whileAnswering(cluster, () => clusters.send(connection, request)),
      },
      cluster.organizationId,
      cluster.id,
    ).catch((error: unknown) => {
      if (error instanceof ClusterFailure) return error
      throw error
    })
    await inTurn(fetched, async (secret) => {
      const name = `${secret.namespace}/${secret.name}`
      const key = `${cluster.id}/${name}`
      const found =
        open instanceof ClusterFailure ? { unread: open.message } : await fetchCertificate(open, secret)
      // What was read last is shown while the cluster is away; that it is away is said of the cluster.
      const last = 'unread' in found ? kept.get(key)?.found : undefined
      result.set(name, last ?? found)
      if (!('unread' in found))
        keep(key, { version: versions?.get(name), readAtMs: clock.monotonicMs(), found })
    })
  }

  function keep(key: string, entry: Kept): void {
    kept.delete(key)
    kept.set(key, entry)
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  }
}

type Open = Awaited<ReturnType<typeof openCluster>>

async function fetchCertificate(open: Open, { namespace, name }: SecretName): Promise<FoundCertificate> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`
  try {
    const { status, body } = await open({ method: 'GET', path })
    if (status === 404) return { missing: true }
    if (status === 403) return { unread: 'Bey has no right to read this Secret.' }
    if (status !== 200) return { unread: `The cluster answered ${status}.` }
    // The shape is the Kubernetes API's. Only the public part is taken out of it.
    const encoded = (body as { data?: Record<string, string> | null }).data?.['tls.crt']
    if (!encoded) return { unreadable: 'The Secret has no tls.crt.' }
    return readCertificate(Buffer.from(encoded, 'base64').toString('utf8'))
  } catch (error) {
    if (error instanceof ClusterFailure) return { unread: error.message }
    throw error
  }
}

async function inTurn<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
