import type { CallInput } from '@bey/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../lib/api.ts'

type DrainChoices = NonNullable<CallInput<'kubernetes.drainNode'>['body']>

/** Starts the drain of a node; answers the run, which is the one under way where there is one. */
export function useDrainNode() {
  return useMutation({
    mutationFn: ({ clusterId, node, choices }: { clusterId: number; node: string; choices: DrainChoices }) =>
      api.call('kubernetes.drainNode', { params: { id: clusterId, name: node }, body: choices }),
  })
}
