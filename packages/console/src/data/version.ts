import type { ServerStatus, VersionInfo } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { log } from '../lib/log.ts'
import { readJson, storage } from '../lib/storage.ts'

const statusIntervalMs = 60_000

/** Stands in where version.json cannot be read. */
const developmentVersion: VersionInfo = {
  version: '0.0.0-dev',
  deploymentId: 'development',
  gitCommit: '',
  gitBranch: '',
  buildTimestamp: '1970-01-01T00:00:00Z',
  environment: 'development',
  apiVersion: 'v1',
}

export interface Versions {
  /** The version this page was loaded from; undefined until known. */
  client: VersionInfo | undefined
  /** What runs on the server now; undefined until known. */
  server: ServerStatus | undefined
  /** The server was replaced by another deployment since this page was loaded. */
  isMismatch: boolean
}

/** The version this page was loaded from; undefined until known. */
export function useClientVersion(): VersionInfo | undefined {
  const { data } = useQuery({
    queryKey: ['version'],
    queryFn: () => (read ??= readVersion()),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}

/** Both versions; the server is not asked before `asksServer`. */
export function useVersions({ asksServer }: { asksServer: boolean }): Versions {
  const client = useClientVersion()
  const server = useQuery({
    queryKey: ['status'],
    queryFn: readStatus,
    enabled: asksServer,
    refetchInterval: statusIntervalMs,
    retry: false,
    // Who else shows it waits for the next time with those who do already.
    retryOnMount: false,
  })
  return { client, server: server.data, isMismatch: isMismatch(client, server.data) }
}

/** A version that is not known, on either side, is no mismatch. */
export function isMismatch(
  client: { deploymentId: string } | undefined,
  server: { deploymentId: string } | undefined,
): boolean {
  if (!client || !server || client.deploymentId === developmentVersion.deploymentId) return false
  return client.deploymentId !== server.deploymentId
}

async function readStatus() {
  try {
    return await api.call('status.server', {})
  } catch (error) {
    log('warning', 'The status of the server could not be read', error)
    throw error
  }
}

/** Read once a page: whatever is forgotten with a session, the scripts on this page stay those of this version. */
let read: Promise<VersionInfo> | undefined

async function readVersion(): Promise<VersionInfo> {
  try {
    const version = completeVersion(await api.call('status.version', {}))
    storage.write('versionInfo', JSON.stringify(version))
    describeInMeta(version)
    return version
  } catch (error) {
    // Specified: a warning in the console, nothing on the page.
    log('warning', 'version.json could not be read', error)
    describeInMeta(developmentVersion)
    return developmentVersion
  }
}

/** A version of which each field is text: the file may come from a cache or a proxy, and is not worth a broken page. */
export function completeVersion(value: unknown): VersionInfo {
  const given = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return {
    ...developmentVersion,
    ...Object.fromEntries(given.filter(([, field]) => typeof field === 'string')),
  }
}

function describeInMeta(version: VersionInfo) {
  for (const [name, content] of Object.entries(version)) {
    const existing = document.head.querySelector(`meta[name="bey:${name}"]`)
    const meta = existing ?? document.head.appendChild(document.createElement('meta'))
    meta.setAttribute('name', `bey:${name}`)
    meta.setAttribute('content', content)
  }
}

/** The version last read, for reports of errors. */
export function storedVersion(): string {
  const stored = readJson(storage, 'versionInfo')
  if (typeof stored !== 'object' || stored === null || !('version' in stored)) return 'unknown'
  return String(stored.version)
}
