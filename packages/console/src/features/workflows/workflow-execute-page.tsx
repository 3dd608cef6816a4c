import type { Workflow } from '@bey/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { defaultsOf, fieldsOf } from './schema-form/field-schema.ts'
import { filledInput, inputErrors } from './schema-form/input-errors.ts'
import { SchemaFields } from './schema-form/schema-fields.tsx'
import { executeReason, workflowHref, workflowParents } from '../../entities/workflows/workflow-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FormPage, FormPagePlaceholder } from '../../ui/form-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Section } from '../../ui/section.tsx'

/** Where a workflow is started with its input. */
export function WorkflowExecutePage() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useRead('workflows.get', { params: { id } })
  const workflow = query.data?.workflow
  usePageTitle(workflow && `Execute ${workflow.name}`, workflow && workflowParents(workflow), 'Execute')
  const failure = failureOf('Failed to fetch workflow details', query)
  if (workflow) return <ExecuteForm key={workflow.id} workflow={workflow} />
  return (
    <FormPagePlaceholder title="Execute workflow" description=" ">
      {isMissing(query) ? (
        <EmptyState
          title="There is no such workflow in this organization"
          description="It may have been deleted, or it belongs to another of your organizations: switch in the menu at the bottom of the sidebar."
          action={<ButtonLink href="/workflows">All workflows</ButtonLink>}
        />
      ) : failure ? (
        <ErrorState {...failure} />
      ) : undefined}
    </FormPagePlaceholder>
  )
}

function ExecuteForm({ workflow }: { workflow: Workflow }) {
  const { id, name, inputSchema } = workflow
  const [typed, setTyped] = useState<Readonly<Record<string, unknown>>>({})
  const [priority, setPriority] = useState<number>()
  const navigate = useNavigate()
  const denied = executeReason(workflow, useRole())
  const stale = useStaleReason()
  const input = filledInput(inputSchema, typed)
  usePageCommands([
    apiCommand(
      'Start this run',
      'workflows.execute',
      { params: { id }, body: { input } },
      useOrganizationId(),
    ),
  ])
  const { errors, refusal, onChange, ...submission } = useSubmission({
    mutation: useChange('workflows.execute'),
    invalid: inputErrors(inputSchema, input, 'input'),
    input: { params: { id }, body: { input, ...(priority === undefined ? {} : { priority }) } },
    lost: Object.keys(typed).length > 0 ? 'the input that you enter' : undefined,
    hasField: (path) => fieldNames(inputSchema).some((field) => isOf(path, field)),
    onSaved: ({ run }) => void navigate({ href: `${workflowHref(id)}/runs/${run.id}` }),
  })
  const fields = fieldsOf(inputSchema)
  return (
    <FormPage
      title={`Execute ${name}`}
      description={workflow.description || 'Starts a run with this input.'}
      submitLabel="Execute workflow"
      {...submission}
      notice={
        denied ? (
          <Notice tone="warn" title="This workflow cannot be started here">
            {denied}
          </Notice>
        ) : workflow.state === 'active' ? null : (
          <Notice
            tone="info"
            title={workflow.state === 'paused' ? 'The workflow is paused' : 'The workflow is a draft'}
          >
            Its triggers start nothing; you can start it all the same.
          </Notice>
        )
      }
      summary={
        <Section title="The run" isCard>
          <Facts
            facts={[
              { label: 'Workflow', value: name },
              { label: 'Version', value: workflow.version },
              { label: 'Steps', value: formatCount(workflow.steps.length, 'step') },
            ]}
          />
        </Section>
      }
      refusal={refusal === undefined ? undefined : { title: 'Failed to execute workflow', detail: refusal }}
      disabledReason={denied ?? stale}
      cancelHref={workflowHref(id)}
    >
      {fields.length === 0 ? <p className="text-text-2">It takes no input.</p> : null}
      <SchemaFields
        schema={inputSchema}
        values={{ ...defaultsOf(inputSchema), ...typed }}
        onChange={(field, value) => {
          setTyped({ ...typed, [field]: value })
          onChange()
        }}
        errorOf={(field) => Object.entries(errors).find(([path]) => isOf(path, field))?.[1]}
      />
      <Field label="Priority" hint="It matters only while runs are queued." className="max-w-80">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={priority === undefined ? '' : String(priority)}
            options={turns}
            onChange={({ target }) => setPriority(target.value === '' ? undefined : Number(target.value))}
          />
        )}
      </Field>
    </FormPage>
  )
}

/** Priorities by their words; the definition says another one where none is chosen. */
const turns = [
  { value: '', label: 'as set in the workflow' },
  { value: '100', label: 'before all others' },
  { value: '-100', label: 'after all others' },
]

/** The server names a field `input.name`, and what lies in it `input.name.0`. */
function isOf(path: string, field: string): boolean {
  const own = path.replace(/^input\./, '')
  return own === field || own.startsWith(`${field}.`) || own.startsWith(`${field}[`)
}

function fieldNames(schema: unknown): string[] {
  return fieldsOf(schema).map(([name]) => name)
}
