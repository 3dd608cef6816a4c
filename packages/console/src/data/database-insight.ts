import type { CallInput, CallOutput } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type DatabaseSessions = CallOutput<'databases.sessions'>
export type DatabaseStatements = CallOutput<'databases.statements'>
export type StatementRange = NonNullable<NonNullable<CallInput<'databases.statements'>['query']>['range']>

/** Sessions change without an event, so they are read again while a page shows them. */
const sessionsMs = 1_000

/** Sessions of a database that wait, hold others up or have a transaction open, and how many each client has. */
export function useDatabaseSessions(id: string, isEnabled: boolean, everyMs = sessionsMs) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'databases.sessions', { params: { id } }),
    enabled: isEnabled,
    refetchInterval: everyMs,
  })
}

/** A minute is kept once, so those that were read stay as they are. */
const minutesMs = 30_000

/** Minutes in which sessions of a database waited for a lock, the newest first. */
export function useLockMinutes(id: string, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'databases.lockMinutes', { params: { id }, query: { atMost: 200 } }),
    enabled: isEnabled,
    refetchInterval: minutesMs,
  })
}

/** Who waited for whom at a minute that is kept; nothing is asked for undefined. */
export function useLockMinute(id: string, at: string | undefined) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'databases.lockMinute', { params: { id, at: at ?? '' } }),
    enabled: at !== undefined,
    staleTime: Infinity,
  })
}

/** They are counted every minute. */
const statementsMs = 30_000

/** Statements of a database that took the most time in a range that ends now. */
export function useDatabaseStatements(id: string, range: StatementRange, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'databases.statements', { params: { id }, query: { range } }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    refetchInterval: statementsMs,
  })
}

/** It is checked every 15 min, and at once after its statement was executed. */
const adviceMs = 60_000

/** Advice on a database. */
export function useDatabaseAdvice(id: string, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'databases.advice', { params: { id } }),
    enabled: isEnabled,
    refetchInterval: adviceMs,
  })
}
