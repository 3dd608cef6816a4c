import type { CallInput, CallOutput, EndpointName } from '@bey/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { apiQuery, onDemand } from './api-query.ts'
import { useOrganizationId } from './session.ts'

interface ReadOptions<T> {
  /** False while what is asked for is not known, or may not be read. */
  isEnabled?: boolean
  /** Asked again after so long, for what moves without an event; undefined of a reply that moves no more. */
  refreshMs?: number | ((reply: T | undefined) => number | undefined)
  /** `now`: read anew wherever it is shown, for a decision that is made on it. `never`: it changes with the server only. */
  becomesOld?: 'now' | 'never'
  /** It is dear to whoever answers: read when it is shown and when somebody asks again, never because of an event. */
  isOnDemand?: boolean
  /** False where a refusal is an answer, such as of a code that has ended. */
  isRetried?: boolean
}

/** What an endpoint answers, kept in step by the reducers of its events. */
export function useRead<N extends EndpointName>(
  name: N,
  input: CallInput<N>,
  options: ReadOptions<CallOutput<N>> = {},
) {
  return useQuery(readQuery(useOrganizationId(), name, input, options))
}

/** The same of a list: while other filters or another page are read, the rows before them stay. */
export function useList<N extends EndpointName>(
  name: N,
  input: CallInput<N>,
  options: ReadOptions<CallOutput<N>> = {},
) {
  const query = readQuery(useOrganizationId(), name, input, options)
  return useQuery({ ...query, placeholderData: keepPreviousData })
}

function readQuery<N extends EndpointName>(
  organizationId: number | undefined,
  name: N,
  input: CallInput<N>,
  {
    isEnabled = true,
    refreshMs,
    becomesOld,
    isOnDemand = false,
    isRetried = true,
  }: ReadOptions<CallOutput<N>>,
) {
  return queryOptions<CallOutput<N>>({
    ...apiQuery(organizationId, name, input),
    enabled: isEnabled,
    refetchInterval: ({ state }) =>
      (typeof refreshMs === 'function' ? refreshMs(state.data) : refreshMs) ?? false,
    ...(becomesOld && { staleTime: becomesOld === 'now' ? 0 : Number.POSITIVE_INFINITY }),
    ...(isOnDemand && { meta: onDemand }),
    ...(isRetried ? {} : { retry: false }),
  })
}
