import { deniedReason, networkCan } from '@bey/contract'
import type { Network } from '../../data/networks.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'
import { networkHref } from './network-text.ts'

/** What can be done with a network beside opening it. */
export function useNetworkActions(network: Network) {
  const role = useRole()
  const stale = useStaleReason()
  const apply = useChange('networks.apply')
  const changeReason = stale ?? deniedReason(role, 'networks.update') ?? networkCan.change(network)
  return {
    apply: {
      run: () =>
        apply.mutate(
          { params: { id: network.id } },
          {
            onError: (error) =>
              toast('error', `Applying failed: ${causeOf(error)}`, {
                id: `apply-${network.id}`,
                href: networkHref(network.id),
              }),
          },
        ),
      disabledReason: changeReason,
      isRunning: apply.isPending,
    },
    /** Why nothing of it can be changed now. */
    changeReason,
    deleteReason:
      stale ??
      deniedReason(role, 'networks.delete') ??
      networkCan.delete({ status: network.status, attachedCount: network.attachments.length }),
  }
}
