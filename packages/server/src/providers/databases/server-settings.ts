import { listenAddresses } from '@bey/contract'
import { sizeParameters } from '@bey/contract/databases/new-parameters'

import type { ProviderDatabase } from '../../features/databases/provider.ts'

/** Settings of the server of a database, from its plan. */
export function serverSettings(
  { name, plan, allowList = [] }: Pick<ProviderDatabase, 'name' | 'plan' | 'allowList'>,
  port: number,
): Record<string, string> {
  return {
    listen_addresses: listenAddresses(allowList),
    port: String(port),
    cluster_name: name,
    ...Object.fromEntries(sizeParameters(plan).map((each) => [each.name, each.value])),
    shared_preload_libraries: 'pg_stat_statements',
    track_io_timing: 'on',
    log_lock_waits: 'on',
    password_encryption: 'scram-sha-256',
  }
}
