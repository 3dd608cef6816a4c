import { auditClasses, auditOutcomes } from '@bey/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { AuditQuery } from '../../data/audit.ts'
import type { AuditSearch } from '../../entities/audit/audit-href.ts'
import { givenValues } from '../../entities/audit/audit-href.ts'
import { oneOf } from '../../lib/list-location.ts'

const keys = [
  'tab',
  'q',
  'actor',
  'action',
  'class',
  'targetType',
  'targetId',
  'object',
  'outcome',
  'ip',
  'request',
  'from',
  'to',
  'after',
  'entry',
] as const

/** Filters that a click on Clear removes. */
const filterKeys = keys.filter((key) => key !== 'tab' && key !== 'after' && key !== 'entry')

/** Reads the search of an address that anybody may have written: whatever is not valid is left out. */
function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const result: AuditSearch = {}
  for (const key of keys) {
    const value = search[key]
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text !== '' && text.length <= 300) result[key] = text
  }
  for (const key of ['from', 'to'] as const) {
    if (result[key] !== undefined && Number.isNaN(Date.parse(result[key]))) delete result[key]
  }
  return result
}

export function useAuditLocation() {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const search = useMemo(() => parseAuditSearch(raw), [raw])
  const change = useCallback(
    (part: Partial<AuditSearch>, { replace = false } = {}) => {
      // A new filter begins with the newest entries; what is open there is another entry.
      const next = { ...search, after: undefined, entry: undefined, ...part }
      void navigate({ to: '.', search: givenValues(next), replace })
    },
    [navigate, search],
  )
  const isFiltered = filterKeys.some((key) => search[key] !== undefined)
  const clear = useCallback(
    () => change(Object.fromEntries(filterKeys.map((key) => [key, undefined]))),
    [change],
  )
  return { search, change, clear, isFiltered }
}

/** The filters as the server takes them. */
export function auditFilters(search: AuditSearch): AuditQuery {
  const { q, actor, action, targetType, targetId, object, ip, request, from, to } = search
  const outcome = oneOf(auditOutcomes, search.outcome)
  const auditClass = oneOf(auditClasses, search.class)
  return {
    ...(q && { search: q }),
    ...(actor && (actor.startsWith('name:') ? { actorName: actor.slice(5) } : { actor })),
    ...(action && { action }),
    ...(auditClass && { class: auditClass }),
    ...(targetType && { targetType }),
    ...(targetId && { targetId }),
    ...(object && { object }),
    ...(outcome && { outcome }),
    ...(ip && { ip }),
    ...(request && { requestId: request }),
    ...(from && { from: new Date(from).toISOString() }),
    ...(to && { to: new Date(to).toISOString() }),
  }
}
