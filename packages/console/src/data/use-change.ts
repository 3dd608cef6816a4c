import type { CallInput, EndpointName } from '@bey/contract'
import { routes } from '@bey/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, filledPath, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

interface ChangeOptions {
  /** The reply holds what is shown once and must not stay in memory. */
  isSecret?: boolean
}

/** Calls an endpoint that changes something, and reads again what the contract says is old then. */
export function useChange<N extends EndpointName>(name: N, { isSecret = false }: ChangeOptions = {}) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (input: CallInput<N>) => api.call(name, input),
    onSuccess: (reply, input) => {
      const read = routes[name].replyOf
      // An endpoint without parameters has no `params`.
      const { params } = input as { params?: Readonly<Record<string, unknown>> }
      if (read !== undefined && isEndpoint(read)) {
        cache.setQueryData(apiKey(organizationId, read, { params }), reply)
      }
      for (const path of outdatedBy(name)) refetchBelow(cache, organizationId, filledPath(path, params))
    },
    ...(isSecret ? { gcTime: 0 } : {}),
  })
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
