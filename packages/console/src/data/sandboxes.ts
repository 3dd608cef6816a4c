import type { CallOutput } from '@bey/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey } from './api-query.ts'
import { useOrganizationId } from './session.ts'

/** Breaks something, or mends it. */
export function useSwitchFault(clusterId: number) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: ({ faultId, isOn }: { faultId: string; isOn: boolean }) => {
      const params = { id: clusterId, faultId }
      return isOn ? api.call('sandboxes.applyFault', { params }) : api.call('sandboxes.endFault', { params })
    },
    onSuccess: (reply, { faultId }) =>
      cache.setQueryData<FaultList>(
        apiKey(organizationId, 'sandboxes.faults', { params: { id: clusterId } }),
        (known) => withSwitched(known, reply, faultId),
      ),
  })
}

type FaultList = CallOutput<'sandboxes.faults'>

/** Of a reply the switched fault alone is taken: replies to several switches need not arrive in the order of their reading. */
export function withSwitched(known: FaultList | undefined, reply: FaultList, faultId: string): FaultList {
  const switched = reply.faults.find(({ id }) => id === faultId)
  if (!known || !switched) return reply
  return { ...known, faults: known.faults.map((fault) => (fault.id === faultId ? switched : fault)) }
}
