import { workflowTypes } from '@bey/contract'
import type { ReactNode } from 'react'
import { DurationField } from '../schema-form/duration-field.tsx'
import { FreeField } from '../schema-form/free-field.tsx'
import type { TextFieldProps } from '../schema-form/text-field.ts'
import { fieldsOf } from '../schema-form/field-schema.ts'
import { formatCount } from '../../../lib/format.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { isRecord } from '../definition/draft.ts'
import { withValue } from '../definition/draft-edits.ts'
import { InputTable } from './input-table.tsx'
import { OptionRow } from './option-row.tsx'
import { PaneHead } from './pane-head.tsx'
import { Concurrency, NumberInput } from './step-options.tsx'
import type { Editor } from './use-editor.ts'

export interface WorkflowPanelProps {
  editor: Editor
  isReadOnly: boolean
  textField: (props: TextFieldProps) => ReactNode
}

/** What holds for the whole workflow: its name, input and output, and how its runs share the workers. */
export function WorkflowPanel({ editor, isReadOnly, textField }: WorkflowPanelProps) {
  const { draft, edit, problems } = editor
  const { root } = draft
  const change = (path: readonly (string | number)[], value: unknown, how?: 'typing') =>
    edit((now) => withValue(now, path, value), how)
  const errorOf = (path: string) =>
    problems.find((each) => each.step === undefined && each.path.join('.') === path)?.message
  const inputs = fieldsOf(root['input_schema'])
  const outputs = isRecord(root['outputs']) ? Object.keys(root['outputs']) : []
  return (
    <section aria-label="Workflow" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <PaneHead title="Workflow" actions={null} />
      <fieldset
        disabled={isReadOnly || editor.unreadable !== undefined}
        className="flex min-h-0 min-w-0 flex-1 flex-col gap-4 overflow-y-auto px-4 py-3"
      >
        <Field label="Name" required error={errorOf('name')}>
          {(control) => (
            <Input
              {...control}
              value={textOf(root['name'])}
              maxLength={200}
              autoComplete="off"
              onChange={({ target }) => change(['name'], target.value, 'typing')}
            />
          )}
        </Field>
        <Field label="Description" required={false} error={errorOf('description')}>
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              maxLength={2_000}
              value={textOf(root['description'])}
              onChange={({ target }) => change(['description'], target.value || undefined, 'typing')}
            />
          )}
        </Field>
        <div className="border-b border-line">
          <OptionRow title="Input" summary={formatCount(inputs.length, 'field')} isOpen={inputs.length > 0}>
            <InputTable editor={editor} />
          </OptionRow>
          <OptionRow title="Output" summary={outputs.join(', ') || 'none'}>
            <FreeField
              label="Results of a run by name"
              hint='For example url: "{{ steps.apply.output.url }}"'
              value={root['outputs']}
              onChange={(value) => change(['outputs'], value, 'typing')}
              textField={textField}
            />
          </OptionRow>
          <OptionRow title="Type and tags" summary={textOf(root['type'] ?? 'custom')}>
            <Field label="Type">
              {(control) => (
                <Select
                  {...control}
                  className="w-full"
                  value={textOf(root['type'] ?? 'custom')}
                  options={workflowTypes.map((type) => ({ value: type, label: type }))}
                  onChange={({ target }) => change(['type'], target.value)}
                />
              )}
            </Field>
            <TagsField tags={root['tags']} onChange={(tags) => change(['tags'], tags, 'typing')} />
          </OptionRow>
          <OptionRow title="Runs" summary={runsSummary(root)}>
            <div className="grid grid-cols-2 gap-3">
              <NumberInput
                label="Steps at once"
                placeholder="10"
                value={root['parallel']}
                error={errorOf('parallel')}
                onChange={(value) => change(['parallel'], value, 'typing')}
              />
              <NumberInput
                label="Priority"
                hint="-100 to 100"
                placeholder="0"
                value={root['priority']}
                error={errorOf('priority')}
                onChange={(value) => change(['priority'], value, 'typing')}
              />
            </div>
            <DurationField
              label="Time-out of a run"
              value={root['timeout_ms']}
              error={errorOf('timeout_ms')}
              onChange={(value) => change(['timeout_ms'], value, 'typing')}
            />
            <DurationField
              label="Longest wait in the queue"
              hint="A run that cannot begin for so long expires."
              value={root['queue_timeout_ms']}
              error={errorOf('queue_timeout_ms')}
              onChange={(value) => change(['queue_timeout_ms'], value, 'typing')}
            />
            <NumberInput
              label="Days that runs are kept"
              placeholder="90"
              value={root['retention_days']}
              error={errorOf('retention_days')}
              onChange={(value) => change(['retention_days'], value, 'typing')}
            />
          </OptionRow>
          <OptionRow
            title="One at a time"
            summary={isRecord(root['concurrency']) ? `per ${textOf(root['concurrency']['key'])}` : 'no limit'}
          >
            <Concurrency
              value={root['concurrency']}
              onChange={(path, value, how) => change(['concurrency', ...path], value, how)}
              onRemove={() => change(['concurrency'], undefined)}
              textField={textField}
            />
          </OptionRow>
        </div>
      </fieldset>
    </section>
  )
}

function TagsField({ tags, onChange }: { tags: unknown; onChange: (tags: string[] | undefined) => void }) {
  const list = Array.isArray(tags) ? tags.map(textOf) : []
  return (
    <Field label="Tags" required={false} hint="Separated by commas.">
      {(control) => (
        <Input
          {...control}
          value={list.join(',')}
          autoComplete="off"
          onChange={({ target }) =>
            onChange(target.value === '' ? undefined : target.value.split(',').map((tag) => tag.trimStart()))
          }
        />
      )}
    </Field>
  )
}

function runsSummary(root: Readonly<Record<string, unknown>>): string {
  return `up to ${textOf(root['parallel'] ?? 10)} steps at once, kept for ${textOf(root['retention_days'] ?? 90)} days`
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
