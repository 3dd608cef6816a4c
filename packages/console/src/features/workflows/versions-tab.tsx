import type { Workflow, WorkflowVersion } from '@bey/contract'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useWorkflowVersion } from '../../data/workflow-authoring.ts'
import { useList } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { diffText } from '../../entities/kubernetes/yaml/diff-text.ts'
import { changeReason } from '../../entities/workflows/workflow-text.ts'
import { errorText } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DiffLines } from '../../ui/diff-lines.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { formatChangedLines } from '../../lib/format.ts'
import { definitionText } from './definition/definition-text.ts'
import { ActorName } from '../../entities/actor-name.tsx'

type Open = { dialog: 'compare' | 'show' | 'restore' | 'take_over'; version: number; against: number }

/** Every version with who saved it and why; two of them compared, an older one saved again. */
export function VersionsTab({ workflow }: { workflow: Workflow }) {
  const [page, setPage] = useState(1)
  const list = useList('workflows.versions', { params: { id: workflow.id }, query: { page } })
  const failure = failureOf('Failed to fetch versions', list)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <>
      {list.data && list.data.total > list.data.limit ? (
        <Toolbar pages={<Pagination {...list.data} onPageChange={setPage} />}>{null}</Toolbar>
      ) : null}
      <Table
        label="Versions"
        columns={columnsOf(workflow.version)}
        rows={list.data?.versions}
        rowKey={({ version }) => String(version)}
        rowLabel={({ version }) => `Version ${version}`}
        rowActions={({ version, apiKey }) => (
          <VersionMenu
            workflow={workflow}
            version={version}
            apiKey={apiKey}
            onOpen={(dialog, against) => setOpen({ dialog, version, against })}
          />
        )}
        isRefreshing={list.isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<EmptyState title="No versions" description="Every save makes a version." />}
        isFilled
      />
      {open?.dialog === 'show' ? (
        <ShowDialog id={workflow.id} version={open.version} onClose={close} />
      ) : null}
      {open?.dialog === 'compare' ? (
        <CompareDialog id={workflow.id} before={open.against} after={open.version} onClose={close} />
      ) : null}
      {open?.dialog === 'restore' || open?.dialog === 'take_over' ? (
        <SaveAgainDialog
          workflow={workflow}
          version={open.version}
          isTakeover={open.dialog === 'take_over'}
          onClose={close}
        />
      ) : null}
    </>
  )
}

function columnsOf(current: number): readonly Column<WorkflowVersion>[] {
  return [
    {
      key: 'version',
      header: 'Version',
      width: '10rem',
      cell: ({ version }) => (
        <span className="inline-flex items-center gap-2">
          Version {version} {version === current ? <Badge>current</Badge> : null}
        </span>
      ),
    },
    { key: 'reason', header: 'Reason', cell: ({ reason }) => reason || '—' },
    {
      key: 'by',
      header: 'By',
      width: '12rem',
      cell: ({ createdBy, apiKey }) =>
        apiKey === null ? <ActorName actor={createdBy} /> : <KeyName apiKey={apiKey} by={createdBy.name} />,
      isVital: true,
    },
    {
      key: 'createdAt',
      header: 'Saved',
      align: 'end',
      width: '9rem',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ]
}

function KeyName({ apiKey, by }: { apiKey: NonNullable<WorkflowVersion['apiKey']>; by: string }) {
  const name = apiKey.name ?? 'deleted'
  return (
    <span title={`Runs of this version do no more than the API key "${name}" of ${by} may.`}>
      Key {name} <span className="text-text-2">of {by}</span>
    </span>
  )
}

function VersionMenu(props: {
  workflow: Workflow
  version: number
  apiKey: WorkflowVersion['apiKey']
  onOpen: (dialog: Open['dialog'], against: number) => void
}) {
  const { workflow, version, apiKey, onOpen } = props
  const role = useRole()
  const stale = useStaleReason()
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for version ${version}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <MenuItem onSelect={() => onOpen('show', version)}>Show the YAML</MenuItem>
      <MenuItem
        onSelect={() => onOpen('compare', version - 1)}
        disabledReason={version === 1 ? 'It is the first version.' : undefined}
      >
        Compare with the version before
      </MenuItem>
      {version === workflow.version && apiKey !== null ? (
        <MenuItem
          onSelect={() => onOpen('take_over', version)}
          disabledReason={changeReason(workflow, role) ?? stale}
        >
          Take over from the API key
        </MenuItem>
      ) : null}
      {version === workflow.version ? null : (
        <>
          <MenuItem onSelect={() => onOpen('compare', workflow.version)}>
            Compare with the current version
          </MenuItem>
          <MenuItem
            onSelect={() => onOpen('restore', version)}
            disabledReason={changeReason(workflow, role) ?? stale}
          >
            Restore
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

function ShowDialog({ id, version, onClose }: { id: string; version: number; onClose: () => void }) {
  const query = useWorkflowVersion(id, version)
  const failure = failureOf('Failed to fetch the version', query)
  return (
    <Dialog open onOpenChange={onClose} title={`Version ${version}`} size="wide">
      {failure ? <ErrorState {...failure} isCompact /> : null}
      {query.data ? (
        <CodeBlock label={`YAML of version ${version}`} text={definitionText(query.data.definition)} />
      ) : null}
    </Dialog>
  )
}

function CompareDialog(props: { id: string; before: number; after: number; onClose: () => void }) {
  const { id, onClose } = props
  // The older one is on the left, whichever was chosen.
  const [older, newer] = [Math.min(props.before, props.after), Math.max(props.before, props.after)]
  const before = useWorkflowVersion(id, older)
  const after = useWorkflowVersion(id, newer)
  const failure =
    failureOf('Failed to fetch the version', before) ?? failureOf('Failed to fetch the version', after)
  const diff =
    before.data && after.data
      ? diffText(definitionText(before.data.definition), definitionText(after.data.definition))
      : undefined
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`From version ${older} to version ${newer}`}
      description={diff ? formatChangedLines(diff) : undefined}
      size="wide"
    >
      {failure ? <ErrorState {...failure} isCompact /> : null}
      {diff && diff.lines.length > 0 ? <DiffLines label="Changes" lines={diff.lines} /> : null}
      {diff && diff.lines.length === 0 ? <p className="text-text-2">Both say the same.</p> : null}
    </Dialog>
  )
}

function SaveAgainDialog(props: {
  workflow: Workflow
  version: number
  isTakeover: boolean
  onClose: () => void
}) {
  const { workflow, version, isTakeover, onClose } = props
  const query = useWorkflowVersion(workflow.id, version)
  const save = useChange('workflows.update')
  const failure = save.error ? errorText('Failed to update workflow', save.error) : undefined
  const definition = query.data?.definition
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={isTakeover ? `Take over version ${version}?` : `Restore version ${version}?`}
      name={workflow.name}
      impactTitle={isTakeover ? 'You answer for its steps from then on:' : 'Nothing is lost:'}
      impact={[
        ...(isTakeover ? ['New runs are no longer bounded by the API key'] : []),
        `Its definition is saved again as version ${workflow.version + 1}`,
        'Runs that go on keep their version',
      ]}
      action={`Save as version ${workflow.version + 1}`}
      isDestructive={false}
      busy={save.isPending || definition === undefined}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() => {
        if (!definition) return
        save.mutate(
          {
            params: { id: workflow.id },
            body: {
              ...definition,
              reason: `Version ${version} ${isTakeover ? 'taken over' : 'restored'}`,
              baseVersion: workflow.version,
            },
          },
          {
            onSuccess: ({ version: saved }) => {
              toast('success', `Version ${saved.version} saved`)
              onClose()
            },
          },
        )
      }}
    />
  )
}
