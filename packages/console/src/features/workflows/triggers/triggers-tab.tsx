import type { Trigger, Workflow } from '@bey/contract'
import { CalendarClock, Ellipsis, Plus, Radio, Webhook } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useSaveTrigger } from '../../../data/workflow-triggers.ts'
import { useRead } from '../../../data/use-read.ts'
import { useChange } from '../../../data/use-change.ts'
import { changeReason } from '../../../entities/workflows/workflow-text.ts'
import { errorText, toastCause } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Link } from '../../../ui/link.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Table } from '../../../ui/table.tsx'
import type { Column } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.ts'
import { Toolbar } from '../../../ui/toolbar.tsx'
import { TriggerDialog } from './trigger-dialog.tsx'
import { WebhookSecretDialog } from './webhook-secret-dialog.tsx'

type Open =
  | { dialog: 'edit'; trigger: Trigger | undefined }
  | { dialog: 'secret'; trigger: Trigger; secret: string }
  | { dialog: 'delete'; trigger: Trigger }

/** What starts a workflow by itself: schedules, webhooks and events. */
export function TriggersTab({ workflow }: { workflow: Workflow }) {
  const list = useRead('workflows.triggers', { params: { id: workflow.id } })
  const failure = failureOf('Failed to fetch triggers', list)
  const [open, setOpen] = useState<Open>()
  const role = useRole()
  const stale = useStaleReason()
  const reason = changeReason(workflow, role) ?? stale
  const add = (
    <Button
      icon={<Plus size={14} aria-hidden />}
      onClick={() => setOpen({ dialog: 'edit', trigger: undefined })}
      disabledReason={reason}
    >
      Add trigger
    </Button>
  )
  const showSecret = ({ trigger, secret }: { trigger: Trigger; secret: string | null }) =>
    setOpen(secret === null ? undefined : { dialog: 'secret', trigger, secret })
  return (
    <>
      {list.data && list.data.triggers.length > 0 ? <Toolbar end={null}>{add}</Toolbar> : null}
      <Table
        label="Triggers"
        columns={columnsOf(workflow.id)}
        rows={list.data?.triggers}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        rowActions={(trigger) => (
          <TriggerMenu
            workflow={workflow}
            trigger={trigger}
            reason={reason}
            onEdit={() => setOpen({ dialog: 'edit', trigger })}
            onDelete={() => setOpen({ dialog: 'delete', trigger })}
            onSecret={showSecret}
          />
        )}
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            title="No triggers"
            description="It is started manually. A schedule, a webhook or an event of this organization can start it as well."
            action={add}
          />
        }
        isFilled
      />
      {open?.dialog === 'edit' ? (
        <TriggerDialog
          workflow={workflow}
          trigger={open.trigger}
          onSaved={showSecret}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
      {open?.dialog === 'secret' ? (
        <WebhookSecretDialog trigger={open.trigger} secret={open.secret} onClose={() => setOpen(undefined)} />
      ) : null}
      {open?.dialog === 'delete' ? (
        <DeleteTriggerDialog workflow={workflow} trigger={open.trigger} onClose={() => setOpen(undefined)} />
      ) : null}
    </>
  )
}

const icons = { schedule: CalendarClock, webhook: Webhook, event: Radio } as const

function columnsOf(workflowId: string): readonly Column<Trigger>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      width: '14rem',
      cell: ({ name, type, isEnabled }) => {
        const Icon = icons[type]
        return (
          <span className="inline-flex min-w-0 items-center gap-2">
            <Icon size={14} aria-hidden className="shrink-0 text-text-3" />
            <span className="truncate">{name}</span>
            {isEnabled ? null : <Badge>off</Badge>}
          </span>
        )
      },
    },
    {
      key: 'summary',
      header: 'Starts a run',
      cell: ({ summary, hookPath }) =>
        hookPath === null ? (
          <span title={summary}>{summary}</span>
        ) : (
          <span className="flex min-w-0 items-center gap-1">
            <span className="min-w-0 truncate font-mono text-small" title={hookPath}>
              {hookPath}
            </span>
            <CopyButton text={`${location.origin}${hookPath}`} label="Copy the address" />
          </span>
        ),
    },
    {
      key: 'next',
      header: 'Next',
      width: '8rem',
      isVital: true,
      cell: ({ nextTimes, isEnabled }) => (isEnabled ? <RelativeTime at={nextTimes[0]} /> : '—'),
    },
    {
      key: 'last',
      header: 'Last',
      width: '14rem',
      cell: ({ lastFiredAt, lastRunId, lastError }) =>
        lastError ? (
          <span className="text-danger" title={lastError}>
            {lastError}
          </span>
        ) : lastRunId ? (
          <Link href={`/workflows/${workflowId}/runs/${lastRunId}`} className="underline underline-offset-4">
            <RelativeTime at={lastFiredAt} />
          </Link>
        ) : (
          <RelativeTime at={lastFiredAt} />
        ),
    },
  ]
}

interface TriggerMenuProps {
  workflow: Workflow
  trigger: Trigger
  reason: string | undefined
  onEdit: () => void
  onDelete: () => void
  onSecret: (reply: { trigger: Trigger; secret: string | null }) => void
}

function TriggerMenu({ workflow, trigger, reason, onEdit, onDelete, onSecret }: TriggerMenuProps) {
  const save = useSaveTrigger(workflow.id)
  const rotate = useChange('workflows.rotateTriggerSecret')
  const { id, name, isEnabled, settings, type } = trigger
  const failed = (error: unknown) => toast('error', 'Failed to update trigger', toastCause(error))
  return (
    <Menu
      trigger={
        <IconButton label={`Actions for ${name}`} size="small" icon={<Ellipsis size={16} aria-hidden />} />
      }
    >
      <MenuItem onSelect={onEdit} disabledReason={reason}>
        Edit
      </MenuItem>
      <MenuItem
        onSelect={() =>
          save.mutate({ triggerId: id, body: { name, isEnabled: !isEnabled, settings } }, { onError: failed })
        }
        disabledReason={reason}
      >
        {isEnabled ? 'Switch off' : 'Switch on'}
      </MenuItem>
      {type === 'webhook' ? (
        <MenuItem
          onSelect={() =>
            rotate.mutate(
              { params: { id: workflow.id, triggerId: id } },
              { onSuccess: onSecret, onError: failed },
            )
          }
          disabledReason={reason}
        >
          New secret
        </MenuItem>
      ) : null}
      <MenuSeparator />
      <MenuItem isDanger onSelect={onDelete} disabledReason={reason}>
        Delete
      </MenuItem>
    </Menu>
  )
}

function DeleteTriggerDialog(props: { workflow: Workflow; trigger: Trigger; onClose: () => void }) {
  const { workflow, trigger, onClose } = props
  const remove = useChange('workflows.deleteTrigger')
  const failure = remove.error ? errorText('Failed to delete trigger', remove.error) : undefined
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this trigger?"
      name={trigger.name}
      impactTitle="Then:"
      impact={[
        `It starts no further run of ${workflow.name}`,
        trigger.type === 'webhook' ? 'Its address answers that it does not exist' : 'Its earlier runs stay',
      ]}
      action="Delete trigger"
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        remove.mutate({ params: { id: workflow.id, triggerId: trigger.id } }, { onSuccess: onClose })
      }
    />
  )
}
