import { deniedReason } from '@bey/contract'
import { Eye, Trash } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { PreviewSkeleton } from '../../ui/preview-skeleton.tsx'
import type { PreviewActionsProps, PreviewProps } from '../preview.ts'
import { groupTexts, ruleText, stateSentence } from './alert-text.ts'
import { DeleteAlertDialog } from './delete-alert-dialog.tsx'

export function AlertDetails({ id }: PreviewProps) {
  const query = useRead('alerts.get', { params: { id } })
  const { data } = query
  if (data)
    return (
      <>
        <p className="pb-2">{stateSentence(data)}</p>
        <Facts
          facts={[
            { label: 'State', value: groupTexts[data.group] },
            { label: 'Fires when', value: ruleText(data) },
            { label: 'Owner', value: data.owner?.name ?? 'nobody' },
            { label: 'Fired in 30 days', value: data.firedCount },
            { label: 'Acted on', value: data.actedOnCount },
          ]}
        />
      </>
    )
  const failure = failureOf('Failed to fetch the alert', query)
  return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
}

export function AlertActions({ id, onChoose, onAsk }: PreviewActionsProps) {
  const { data } = useRead('alerts.get', { params: { id } })
  const denied = deniedReason(useRole(), 'alerts.delete')
  return (
    <>
      <Button variant="primary" icon={<Eye size={14} aria-hidden />} onClick={onChoose}>
        View alert
      </Button>
      <Button
        icon={<Trash size={14} aria-hidden />}
        disabledReason={data ? denied : 'Loading...'}
        onClick={() => data && onAsk((close) => <DeleteAlertDialog alert={data} onClose={close} />)}
      >
        Delete alert
      </Button>
    </>
  )
}
