import { listenAddresses } from '@bey/contract'

import type { ProviderDatabase } from '../../features/databases/provider.ts'

const mebibyte = 1024 * 1024

/** Settings of the server of a database, from its plan. */
export function serverSettings(
  { name, plan, allowList = [] }: Pick<ProviderDatabase, 'name' | 'plan' | 'allowList'>,
  port: number,
): Record<string, string> {
  const mib = (bytes: number) => `${Math.max(1, Math.floor(bytes / mebibyte))}MB`
  const { memoryBytes, sharedBuffersBytes, maxConnections } = plan
  // What is left beside the shared buffers, divided so that half of the connections may sort at the same time.
  const workBytes = Math.max(2 * mebibyte, (memoryBytes - sharedBuffersBytes) / maxConnections)
  return {
    listen_addresses: listenAddresses(allowList),
    port: String(port),
    cluster_name: name,
    max_connections: String(maxConnections),
    shared_buffers: mib(sharedBuffersBytes),
    work_mem: mib(workBytes),
    maintenance_work_mem: mib(Math.max(16 * mebibyte, memoryBytes / 8)),
    effective_cache_size: mib((memoryBytes * 3) / 4),
    shared_preload_libraries: 'pg_stat_statements',
    track_io_timing: 'on',
    log_lock_waits: 'on',
    password_encryption: 'scram-sha-256',
  }
}
