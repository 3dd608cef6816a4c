import type { Workflow, WorkflowState } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { Archive, Copy, Ellipsis, Pause, Pencil, Play, Power, Trash2, Undo2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import {
  changeReason,
  executeReason,
  movesOf,
  stateVerbs,
  workflowHref,
} from '../../entities/workflows/workflow-text.ts'
import { toastCause } from '../../lib/error-text.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'

const DeleteWorkflowDialog = lazyPart(async () => ({
  default: (await import('./delete-workflow-dialog.tsx')).DeleteWorkflowDialog,
}))

const icon = { size: 14, 'aria-hidden': true } as const
const stateIcons: Record<WorkflowState, typeof Pause> = {
  draft: Power,
  active: Power,
  paused: Pause,
  archived: Archive,
}

export interface WorkflowMenuProps {
  workflow: Workflow
  /** Its own page is open, which has buttons for the first two. */
  isOnPage?: boolean
  onDeleted?: () => void
}

/** Everything that can be done with one workflow, each with the reason where it cannot. */
export function WorkflowMenu({ workflow, isOnPage = false, onDeleted }: WorkflowMenuProps) {
  const role = useRole()
  const stale = useStaleReason()
  const move = useMoveWorkflow(workflow)
  const restore = useRestore(workflow)
  const [isDeleting, setDeleting] = useState(false)
  const change = changeReason(workflow, role) ?? stale
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={`Actions for ${workflow.name}`}
            size={isOnPage ? 'normal' : 'small'}
            icon={<Ellipsis size={16} aria-hidden />}
          />
        }
      >
        {isOnPage ? null : (
          <>
            <MenuItem
              icon={<Play {...icon} />}
              href={`${workflowHref(workflow.id)}/execute`}
              disabledReason={executeReason(workflow, role) ?? stale}
            >
              Run
            </MenuItem>
            <MenuItem
              icon={<Pencil {...icon} />}
              href={`${workflowHref(workflow.id)}/edit`}
              disabledReason={change}
            >
              Edit
            </MenuItem>
          </>
        )}
        <MenuItem
          icon={<Copy {...icon} />}
          href={`/workflows/create?from=${workflow.id}`}
          disabledReason={
            workflow.isBuiltIn
              ? 'Built-in workflows cannot be copied.'
              : deniedReason(role, 'workflows.create')
          }
        >
          Duplicate
        </MenuItem>
        <MenuSeparator />
        {workflow.purgeAt === null ? null : (
          <MenuItem
            icon={<Undo2 {...icon} />}
            onSelect={restore}
            disabledReason={deniedReason(role, 'workflows.delete') ?? stale}
          >
            Restore
          </MenuItem>
        )}
        {(workflow.purgeAt === null ? movesOf(workflow) : []).map((state) => {
          const Icon = stateIcons[state]
          return (
            <MenuItem
              key={state}
              icon={<Icon {...icon} />}
              onSelect={() => move(state)}
              disabledReason={change}
            >
              {stateVerbs[state]}
            </MenuItem>
          )
        })}
        <MenuItem
          icon={<Trash2 {...icon} />}
          isDanger
          onSelect={() => setDeleting(true)}
          disabledReason={
            workflow.isBuiltIn
              ? 'Built-in workflows are read-only.'
              : (deniedReason(role, 'workflows.delete') ?? stale)
          }
        >
          {workflow.purgeAt === null ? 'Delete' : 'Delete for good'}
        </MenuItem>
      </Menu>
      <Suspense fallback={null}>
        {isDeleting ? (
          <DeleteWorkflowDialog
            workflow={workflow}
            onClose={() => setDeleting(false)}
            onDeleted={() => {
              setDeleting(false)
              onDeleted?.()
            }}
          />
        ) : null}
      </Suspense>
    </>
  )
}

const done: Record<WorkflowState, string> = {
  draft: 'is a draft',
  active: 'is active',
  paused: 'is paused: its triggers start nothing',
  archived: 'is archived',
}

/** Undoes the deletion of a workflow, and says so. */
export function useRestore({ id, name }: Workflow): () => void {
  const { mutate } = useChange('workflows.restore')
  return () =>
    mutate(
      { params: { id } },
      {
        onSuccess: () => toast('success', `${name} restored`),
        onError: (error) => toast('error', 'Failed to restore workflow', toastCause(error)),
      },
    )
}

/** Moves a workflow to another state, and says so where the page does not show it. */
export function useMoveWorkflow({ id, name }: Workflow): (state: WorkflowState) => void {
  const { mutate } = useChange('workflows.setState')
  return (state) =>
    mutate(
      { params: { id }, body: { state } },
      {
        onSuccess: () => toast('success', `${name} ${done[state]}`),
        onError: (error) => toast('error', 'Failed to update workflow', toastCause(error)),
      },
    )
}
