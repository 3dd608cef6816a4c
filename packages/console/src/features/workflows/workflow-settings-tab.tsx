import type { Workflow, WorkflowState } from '@bey/contract'
import { deniedReason, workflowDeletionDays } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { changeReason, movesOf, stateVerbs, workflowHref } from '../../entities/workflows/workflow-text.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { useMoveWorkflow } from './workflow-menu.tsx'

const DeleteWorkflowDialog = lazyPart(async () => ({
  default: (await import('./delete-workflow-dialog.tsx')).DeleteWorkflowDialog,
}))

const states: Record<WorkflowState, string> = {
  draft: 'It is a draft. You can start it; its triggers start nothing.',
  active: 'It is active. Its triggers start runs.',
  paused: 'It is paused. You can start it; its triggers start nothing.',
  archived: 'It is archived. Nothing starts it.',
}

/** Whether a workflow starts by itself, where the rest is set, and its end. */
export function WorkflowSettingsTab({ workflow }: { workflow: Workflow }) {
  const role = useRole()
  const stale = useStaleReason()
  const navigate = useNavigate()
  const move = useMoveWorkflow(workflow)
  const [isDeleting, setDeleting] = useState(false)
  const change = changeReason(workflow, role) ?? stale
  return (
    <>
      <SettingsSection title="State" hint="Runs that go on are not touched.">
        <p className="mb-3">
          {workflow.purgeAt === null ? states[workflow.state] : 'It is deleted. Nothing starts it.'}
        </p>
        <div className="flex flex-wrap gap-2">
          {(workflow.purgeAt === null ? movesOf(workflow) : []).map((state) => (
            <Button key={state} onClick={() => move(state)} disabledReason={change}>
              {stateVerbs[state]}
            </Button>
          ))}
        </div>
      </SettingsSection>
      <SettingsSection
        title="Limits and retention"
        hint="They belong to the definition, so that each version has its own."
      >
        <p className="mb-3">Time-outs, priority, how many runs go on at once, and how long runs are kept.</p>
        <ButtonLink href={`${workflowHref(workflow.id)}/edit`} disabledReason={change}>
          Edit the definition
        </ButtonLink>
      </SettingsSection>
      <SettingsSection
        title="Delete"
        hint={
          workflow.purgeAt === null
            ? `It can be restored for ${workflowDeletionDays} days, with its runs. Archiving keeps it for ever.`
            : 'For good, with its versions, triggers and runs. It cannot be brought back.'
        }
      >
        <Button
          variant="danger"
          onClick={() => setDeleting(true)}
          disabledReason={deniedReason(role, 'workflows.delete') ?? stale}
        >
          {workflow.purgeAt === null ? 'Delete workflow' : 'Delete for good'}
        </Button>
      </SettingsSection>
      <Suspense fallback={null}>
        {isDeleting ? (
          <DeleteWorkflowDialog
            workflow={workflow}
            onClose={() => setDeleting(false)}
            onDeleted={() => {
              setDeleting(false)
              if (workflow.purgeAt !== null) void navigate({ href: '/workflows' })
            }}
          />
        ) : null}
      </Suspense>
    </>
  )
}
