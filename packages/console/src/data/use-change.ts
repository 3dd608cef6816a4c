import type { CallInput, CallOutput, EndpointName } from '@bey/contract'
import { routes } from '@bey/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, filledPath, ownerOf, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

interface ChangeOptions<N extends EndpointName> {
  /** The input or the reply holds what must not stay in memory: it is forgotten with the form. */
  isSecret?: boolean
  /** What the page waits for once the server has answered, such as a session that knows the new name. */
  onReply?: (reply: CallOutput<N>) => unknown
}

type Params = Readonly<Record<string, unknown>>

/**
 * Calls an endpoint that changes something. A reply takes the place of the read that the contract names, and what the
 * contract says is old then is read again; after a failure too, for what was done is the server's to say.
 */
export function useChange<N extends EndpointName>(
  name: N,
  { isSecret = false, onReply }: ChangeOptions<N> = {},
) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (input: CallInput<N>) => api.call(name, input),
    onSuccess: (reply, input) => {
      const read = routes[name].replyOf
      if (read !== undefined && isEndpoint(read)) {
        const params = { ...idOf(reply), ...paramsOf(input) }
        cache.setQueryData(apiKey(organizationId, read, { params }), reply)
      }
      return onReply?.(reply)
    },
    onSettled: (_reply, _error, input) => {
      for (const path of outdatedBy(name))
        refetchBelow(cache, ownerOf(name, organizationId), filledPath(path, paramsOf(input)))
    },
    ...(isSecret ? { gcTime: 0 } : {}),
  })
}

// An endpoint without parameters has no `params`.
function paramsOf(input: object): Params | undefined {
  return 'params' in input ? (input.params as Params | undefined) : undefined
}

/** What was just made is read by the id that its reply names. */
function idOf(reply: unknown): Params {
  return typeof reply === 'object' && reply !== null && 'id' in reply ? { id: reply.id } : {}
}

/** Paths below which replies are old after a call: those that its contract names, else those of its own list. */
export function outdatedBy(name: EndpointName): readonly string[] {
  const { outdates } = routes[name]
  if (outdates !== undefined) return outdates
  const list = `${name.split('.')[0]}.list`
  return isEndpoint(list) ? [routes[list].path] : []
}

function isEndpoint(name: string): name is EndpointName {
  return Object.hasOwn(routes, name)
}
