import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditGrounds } from '../../tables/audit-entries.ts'

const current = new AsyncLocalStorage<AuditGrounds>()

/** Runs a request that was allowed; its audit entries then say by what. */
export function allowedBy<T>(grounds: AuditGrounds | undefined, work: () => T): T {
  return grounds === undefined ? work() : current.run(grounds, work)
}

/** What allowed the present request; undefined of what the server does by itself. */
export function currentGrounds(): AuditGrounds | undefined {
  return current.getStore()
}
