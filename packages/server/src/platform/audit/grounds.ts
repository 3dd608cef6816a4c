import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditGrounds } from '../../tables/audit-entries.ts'

type Request = { grounds: AuditGrounds; isRefusalRecorded: boolean }

const current = new AsyncLocalStorage<Request>()

/** Runs a request that was allowed; its audit entries then say by what. */
export function allowedBy<T>(grounds: AuditGrounds | undefined, work: () => T): T {
  return grounds === undefined ? work() : current.run({ grounds, isRefusalRecorded: false }, work)
}

/** What allowed the present request; undefined of what the server does by itself. */
export function currentGrounds(): AuditGrounds | undefined {
  return current.getStore()?.grounds
}

/** Called as an entry is written that says that the present request was refused. */
export function noteRefusal(): void {
  const request = current.getStore()
  if (request) request.isRefusalRecorded = true
}

/** Whether the present request has an entry of its own that says that it was refused. */
export function isRefusalRecorded(): boolean {
  return current.getStore()?.isRefusalRecorded === true
}
