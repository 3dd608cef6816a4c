import type { Workflow } from '@bey/contract'
import { entityHref } from '@bey/contract'
import { Eye, Pencil, Play } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { PreviewSkeleton } from '../../ui/preview-skeleton.tsx'
import type { PreviewActionsProps, PreviewProps } from '../preview.ts'
import { changeReason, executeReason } from './workflow-text.ts'

export function WorkflowDetails({ id }: PreviewProps) {
  const query = useRead('workflows.get', { params: { id } })
  if (query.data) return <Details workflow={query.data.workflow} />
  const failure = failureOf('Failed to fetch workflow details', query)
  return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
}

function Details({ workflow }: { workflow: Workflow }) {
  return (
    <>
      {workflow.description ? <p className="text-text-2">{workflow.description}</p> : null}
      <Facts
        facts={[
          { label: 'Type', value: workflow.isBuiltIn ? `${workflow.type}, built in` : workflow.type },
          { label: 'Steps', value: formatNumber(workflow.steps.length) },
          {
            label: 'Last run',
            value: workflow.lastRunAt ? (
              <span className="inline-flex items-center gap-2">
                <Status of="run" status={workflow.status} />
                <RelativeTime at={workflow.lastRunAt} />
              </span>
            ) : (
              'never'
            ),
          },
        ]}
      />
    </>
  )
}

export function WorkflowActions({ id, onChoose, onOpen }: PreviewActionsProps) {
  const { data } = useRead('workflows.get', { params: { id } })
  const path = entityHref({ type: 'workflow', id }) ?? ''
  const role = useRole()
  const reason = data ? executeReason(data.workflow, role) : 'Loading...'
  const editReason = data ? changeReason(data.workflow, role) : 'Loading...'
  return (
    <>
      <Button
        variant={reason ? 'secondary' : 'primary'}
        icon={<Play size={14} aria-hidden />}
        onClick={() => onOpen(`${path}/execute`)}
        disabledReason={reason}
      >
        Execute Workflow
      </Button>
      <Button
        icon={<Pencil size={14} aria-hidden />}
        onClick={() => onOpen(`${path}/edit`)}
        disabledReason={editReason}
      >
        Edit Workflow
      </Button>
      <Button
        variant={reason ? 'primary' : 'secondary'}
        icon={<Eye size={14} aria-hidden />}
        onClick={onChoose}
      >
        View Details
      </Button>
    </>
  )
}
