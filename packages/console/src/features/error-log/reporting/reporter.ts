import { createClient } from '@bey/client'
import { errorLogLimits } from '@bey/contract'
import { useSyncExternalStore } from 'react'
import { session } from '../../../data/session.ts'
import { requestOrganizationId } from '../../../data/session-store.ts'
import { watchCalls } from '../../../lib/api.ts'
import { isTransient, isRateLimited } from '../../../lib/error-text.ts'
import { storage } from '../../../lib/storage.ts'
import { watchToasts } from '../../../ui/toast.ts'
import { createBreadcrumbs, describeClick, pathPattern } from './breadcrumbs.ts'
import { realClockOf } from './clock.ts'
import type { CapturedError } from './early.ts'
import { listenForErrors } from './early.ts'
import { entryOf, keyOf } from './entry.ts'
import type { Report, ReportPhase } from './queue.ts'
import { createErrorQueue } from './queue.ts'
import { routeSource } from './route-source.ts'
import { releaseOf, visitId } from './visit.ts'

/** Browsers let a page that is being left send no more than 64 KB. */
const maxKeptAliveBytes = 60_000

// A client of its own: a report must leave no breadcrumb, and its 401 is left to the calls of the page.
const client = createClient({
  getToken: () => storage.read('token'),
  getOrganizationId: () => undefined,
  fetch: (input, init) => {
    const bytes = typeof init?.body === 'string' ? new Blob([init.body]).size : 0
    return fetch(input, { ...init, keepalive: bytes < maxKeptAliveBytes })
  },
})

const listeners = new Set<() => void>()
const reports = new WeakMap<object, Report>()
const breadcrumbs = createBreadcrumbs()

const queue = createErrorQueue({
  clock: realClockOf(),
  send: async ({ entries, organizationId, idempotencyKey }) => {
    const errors = entries.slice(0, errorLogLimits.entriesPerCall)
    const reply = await client.call('errors.log', { body: { errors } }, { organizationId, idempotencyKey })
    return reply.errorIds
  },
  hasToken: () => storage.read('token') !== null,
  isTransient: (error) => isTransient(error) || isRateLimited(error),
  newKey: visitId.newKey,
  onChange: () => {
    for (const listener of listeners) listener()
  },
})

let isReporting = false

function report(captured: CapturedError): void {
  // What goes wrong in here must not be reported from here.
  if (isReporting) return
  isReporting = true
  try {
    const error = captured.values.find((value) => value instanceof Error)
    // Printed after it was thrown or caught: it is in the log already.
    if (error && reports.has(error) && captured.kind === 'console') return
    const organizationId = requestOrganizationId(session.get(), storage)
    const state = session.get()
    const entry = entryOf(captured, {
      url: location.href,
      userAgent: navigator.userAgent,
      sessionId: visitId.read(),
      userId: state.phase === 'signed-in' ? state.user.id : undefined,
      organizationId,
      release: releaseOf(document),
      routeId: routeSource()?.shownRoute() ?? location.pathname,
      breadcrumbs: breadcrumbs.list(),
    })
    const added = queue.add(
      { entry, key: keyOf(entry), organizationId, phase: 'waiting', repeats: 0 },
      captured.kind === 'boundary',
    )
    if (error) reports.set(error, added)
  } finally {
    isReporting = false
  }
}

/** What became of the report of an error; undefined for one that was not reported. */
export function useReport(error: unknown): { phase: ReportPhase; errorId?: string | undefined } | undefined {
  const find = () => (typeof error === 'object' && error !== null ? reports.get(error) : undefined)
  const phase = useSyncExternalStore(subscribe, () => find()?.phase)
  return phase && { phase, errorId: find()?.errorId }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let userId: number | undefined
session.subscribe(() => {
  const state = session.get()
  if (state.phase === 'signed-out') queue.drop()
  if (state.phase !== 'signed-in' || state.user.id === userId) return
  // What one person did and met is not sent in the name of the next.
  if (userId !== undefined) {
    queue.drop()
    breadcrumbs.clear()
  }
  userId = state.user.id
})

routeSource()?.onOpened((path) => breadcrumbs.add('route', path))
watchCalls(({ method, path, status }) => breadcrumbs.add('api', `${method} ${pathPattern(path)}`, status))
watchToasts(({ type, text }) => breadcrumbs.add('toast', `${type}: ${text}`))
document.addEventListener(
  'click',
  ({ target }) => {
    const text = describeClick(target)
    if (text !== undefined) breadcrumbs.add('click', text)
  },
  { capture: true },
)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') queue.flush()
})
addEventListener('pagehide', () => queue.flush())
addEventListener('online', () => queue.flush())

listenForErrors(report)
