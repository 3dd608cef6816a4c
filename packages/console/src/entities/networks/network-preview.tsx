import { Eye, Trash } from 'lucide-react'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PreviewSkeleton } from '../../ui/preview-skeleton.tsx'
import type { Network } from '../../data/networks.ts'
import type { PreviewActionsProps, PreviewProps } from '../preview.ts'
import { DeleteNetworkDialog } from './delete-network-dialog.tsx'
import { NetworkFacts } from './network-facts.tsx'
import { useNetworkActions } from './use-network-actions.ts'

export function NetworkDetails({ id }: PreviewProps) {
  const query = useRead('networks.get', { params: { id } })
  if (query.data) {
    return (
      <>
        {query.data.reason ? <p className="text-text-2">{query.data.reason}</p> : null}
        <NetworkFacts network={query.data} />
      </>
    )
  }
  const failure = failureOf('Failed to fetch the network', query)
  return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
}

export function NetworkActions({ id, onChoose, onAsk }: PreviewActionsProps) {
  const { data } = useRead('networks.get', { params: { id } })
  return (
    <>
      <Button variant="primary" icon={<Eye size={14} aria-hidden />} onClick={onChoose}>
        View network
      </Button>
      {data ? <DeleteButton network={data} onAsk={onAsk} /> : null}
    </>
  )
}

function DeleteButton({ network, onAsk }: { network: Network } & Pick<PreviewActionsProps, 'onAsk'>) {
  const { deleteReason } = useNetworkActions(network)
  return (
    <Button
      icon={<Trash size={14} aria-hidden />}
      disabledReason={deleteReason}
      onClick={() => onAsk((close) => <DeleteNetworkDialog network={network} onClose={close} />)}
    >
      Delete network
    </Button>
  )
}
