import type { CallInput, EndpointName } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

interface ReadOptions {
  /** False while what is asked for is not known, or may not be read. */
  isEnabled?: boolean
  /** Asked again after so long, for what moves without an event. */
  refreshMs?: number
}

/** What an endpoint answers, kept in step by the reducers of its events. */
export function useRead<N extends EndpointName>(name: N, input: CallInput<N>, options: ReadOptions = {}) {
  const { isEnabled = true, refreshMs = false } = options
  return useQuery({
    ...apiQuery(useOrganizationId(), name, input),
    enabled: isEnabled,
    refetchInterval: refreshMs,
  })
}

/** The same of a list: while other filters or another page are read, the rows before them stay. */
export function useList<N extends EndpointName>(name: N, input: CallInput<N>, options: ReadOptions = {}) {
  const { isEnabled = true, refreshMs = false } = options
  return useQuery({
    ...apiQuery(useOrganizationId(), name, input),
    enabled: isEnabled,
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
}
