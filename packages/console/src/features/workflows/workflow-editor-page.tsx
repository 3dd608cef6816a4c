import { deniedReason } from '@bey/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useOrganizationId, useRole, useUser } from '../../data/session.ts'
import { useStepTypes, useWorkflowTemplates, useWorkflowVersion } from '../../data/workflow-authoring.ts'
import { useRead } from '../../data/use-read.ts'
import { workflowParents } from '../../entities/workflows/workflow-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Definition } from './definition/definition-text.ts'
import { definitionText } from './definition/definition-text.ts'
import { EditorSkeleton } from './editor/editor-skeleton.tsx'
import { draftKey, readKept } from './editor/editor-drafts.ts'
import { WorkflowEditor } from './editor/workflow-editor.tsx'

const newText = `name: New workflow
input_schema:
  type: object
  properties: {}
steps: []
`

/** The screen on which a workflow is made or changed: graph, YAML and form of its steps. */
export function WorkflowEditorPage() {
  const { id }: { id?: string } = useParams({ strict: false })
  return id === undefined ? <NewWorkflow /> : <SavedWorkflow key={id} id={id} />
}

function NewWorkflow() {
  const search: { from?: unknown; template?: unknown } = useSearch({ strict: false })
  const from = typeof search.from === 'string' ? search.from : undefined
  const templateId = typeof search.template === 'string' ? search.template : undefined
  const source = useWorkflowVersion(from, 'latest')
  const templates = useWorkflowTemplates(templateId !== undefined)
  const template = templates.data?.templates.find(({ id }) => id === templateId)
  const denied = deniedReason(useRole(), 'workflows.create')
  const failure =
    failureOf('Failed to fetch workflow details', source) ??
    failureOf('Failed to fetch workflow templates', templates)
  if (denied) return <Refused title="Create workflow" reason={denied} />
  if (template) return <NewEditor key={template.id} startText={definitionText(template.definition)} isCopy />
  if (from === undefined && (templateId === undefined || templates.data))
    return <NewEditor startText={newText} isCopy={false} />
  if (source.data) return <NewEditor key={from} startText={copyText(source.data.definition)} isCopy />
  if (!failure) return <EditorSkeleton title="New workflow" />
  return (
    <>
      <PageHeader title="Create workflow" />
      <ErrorState {...failure} />
    </>
  )
}

/** A copy is what was asked for: a kept draft of another new workflow does not stand in its place. */
function NewEditor({ startText, isCopy }: { startText: string; isCopy: boolean }) {
  const [count, setCount] = useState(0)
  const keptKey = useDraftKey(undefined)
  const kept = isCopy ? undefined : readKept(keptKey)
  return (
    <WorkflowEditor
      key={count}
      workflowId={undefined}
      baseText={startText}
      baseVersion={undefined}
      initialText={kept?.text ?? startText}
      keptKey={keptKey}
      lastRunId={undefined}
      onRestart={() => setCount(count + 1)}
    />
  )
}

function copyText(definition: Definition): string {
  return definitionText({ ...definition, name: `${definition.name} (copy)` })
}

function SavedWorkflow({ id }: { id: string }) {
  const workflow = useRead('workflows.get', { params: { id } })
  const version = useWorkflowVersion(id, 'latest')
  const types = useStepTypes()
  const keptKey = useDraftKey(id)
  const denied = deniedReason(useRole(), 'workflows.update')
  // What was read when the editor was opened stays its base, whatever is read in the background.
  const [base, setBase] = useState<{ text: string; version: number }>()
  const known = workflow.data?.workflow
  usePageTitle(known && `Edit ${known.name}`, known && workflowParents(known), 'Edit')
  if (!base && version.data && !version.isFetching) {
    setBase({
      text: definitionText(version.data.definition),
      version: version.data.version.version,
    })
  }
  const reason = known?.isBuiltIn ? builtInReason : denied
  // Before its definition is asked about: a built-in workflow has none to read.
  if (known && reason) return <Refused title={known.name} reason={reason} href={`/workflows/${id}`} />
  if (isMissing(workflow) || (known && isMissing(version)))
    return (
      <>
        <PageHeader title="Workflow not found" />
        <EmptyState
          title="There is no such workflow in this organization"
          description="It may have been deleted, or it belongs to another of your organizations: switch in the menu at the bottom of the sidebar."
          action={<ButtonLink href="/workflows">All workflows</ButtonLink>}
        />
      </>
    )
  const failure =
    failureOf('Failed to fetch workflow details', workflow) ??
    (known && failureOf('Failed to fetch workflow details', version)) ??
    failureOf('Failed to fetch the types of steps', types)
  if (failure)
    return (
      <>
        <PageHeader title="Edit workflow" />
        <ErrorState {...failure} />
      </>
    )
  if (!base || !known) return <EditorSkeleton title={known?.name} />
  const kept = readKept(keptKey)
  return (
    <WorkflowEditor
      workflowId={id}
      baseText={base.text}
      baseVersion={kept?.baseVersion === undefined ? base.version : Math.min(kept.baseVersion, base.version)}
      initialText={kept?.text ?? base.text}
      keptKey={keptKey}
      lastRunId={known.lastRunId ?? undefined}
      onRestart={() => {
        void version.refetch()
        setBase(undefined)
      }}
    />
  )
}

const builtInReason =
  'It is built in: its steps are part of Bey and change with its version. Its page says what they do.'

function Refused({ title, reason, href = '/workflows' }: { title: string; reason: string; href?: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        title="You cannot edit this workflow"
        description={reason}
        action={<ButtonLink href={href}>Back</ButtonLink>}
      />
    </>
  )
}

function useDraftKey(workflowId: string | undefined): string {
  return draftKey(useUser()?.id ?? 0, useOrganizationId(), workflowId)
}
