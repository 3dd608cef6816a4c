import type { StepTypeInfo } from '@bey/contract'
import { guaranteeOf, guaranteeTexts } from '@bey/contract'
import { Copy, Ellipsis, Repeat, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { StepIcon } from '../graph/step-icon.tsx'
import { SchemaFields } from '../schema-form/schema-fields.tsx'
import type { TextFieldProps } from '../schema-form/text-field.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'
import { Select } from '../../../ui/select.tsx'
import type { DraftStep } from '../definition/draft.ts'
import { effectiveNeeds, isRecord } from '../definition/draft.ts'
import { withCopy, withKey, withNeed, withoutStep, withValue, withValues } from '../definition/draft-edits.ts'
import { keyError } from '../definition/problems.ts'
import { OptionRow } from './option-row.tsx'
import { PaneHead } from './pane-head.tsx'
import { StepOptions } from './step-options.tsx'
import type { Editor } from './use-editor.ts'

export interface StepPanelProps {
  editor: Editor
  step: DraftStep
  types: readonly StepTypeInfo[]
  isReadOnly: boolean
  textField: (props: TextFieldProps) => ReactNode
  /** Under the fields: the test of the step. */
  footer: ReactNode
}

/** The form of one step: what its type asks for, and what every step can have. */
export function StepPanel({ editor, step, types, isReadOnly, textField, footer }: StepPanelProps) {
  const { edit, select } = editor
  const info = types.find(({ type }) => type === step.type)
  const change = (path: readonly (string | number)[], value: unknown, how?: 'typing') =>
    edit((draft) => withValue(draft, ['steps', step.index, ...path], value), how)
  const errorOf = (path: string) =>
    editor.problems.find(
      (each) =>
        each.step === step.index && each.severity === 'error' && each.path.slice(2).join('.') === path,
    )?.message
  const config = isRecord(step.raw['config']) ? step.raw['config'] : {}
  return (
    <section aria-label="Step" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <PaneHead
        title={
          <span className="flex items-center gap-2">
            <StepIcon name={info?.icon} />
            {step.name || step.key || 'Step'}
          </span>
        }
        detail={<span className="font-mono">{step.type}</span>}
        actions={
          <>
            {isReadOnly ? null : <StepMenu editor={editor} step={step} />}
            <IconButton
              label="Close the step"
              size="small"
              icon={<X size={16} aria-hidden />}
              onClick={() => select(undefined)}
            />
          </>
        }
      />
      <fieldset
        // The fields show the last text that could be read; changing them would overwrite the one that cannot.
        disabled={isReadOnly || editor.unreadable !== undefined}
        className="flex min-h-0 min-w-0 flex-1 flex-col gap-4 overflow-y-auto px-4 py-3"
      >
        {info ? <Guarantee info={info} config={config} /> : null}
        <Field label="Name" error={errorOf('name')}>
          {(control) => (
            <Input
              {...control}
              value={step.name}
              maxLength={200}
              autoComplete="off"
              onChange={({ target }) => change(['name'], target.value, 'typing')}
            />
          )}
        </Field>
        {info ? (
          <SchemaFields
            schema={info.configSchema}
            values={config}
            onChange={(name, value) => change(['config', name], value, 'typing')}
            errorOf={(name) => errorOf(`config.${name}`)}
            textField={textField}
          />
        ) : null}
        <div>
          <OptionRow
            title="Waits for"
            summary={waitsFor(editor, step)}
            isOpen={errorOf('needs') !== undefined}
          >
            <Needs editor={editor} step={step} />
          </OptionRow>
          <StepOptions step={step} types={types} onChange={change} errorOf={errorOf} textField={textField} />
          <OptionRow
            title="Key and type"
            summary={step.key}
            isOpen={errorOf('key') !== undefined || errorOf('type') !== undefined}
          >
            <KeyField key={step.key} editor={editor} step={step} />
            <Field label="Type" error={errorOf('type')} hint="Another type begins with its example.">
              {(control) => (
                <Select
                  {...control}
                  className="w-full"
                  value={info ? step.type : ''}
                  options={[
                    ...(info ? [] : [{ value: '', label: step.type || 'Choose' }]),
                    ...types.map(({ type, label }) => ({ value: type, label: `${label} (${type})` })),
                  ]}
                  onChange={({ target }) => {
                    const next = types.find(({ type }) => type === target.value)
                    if (!next) return
                    const path = ['steps', step.index] as const
                    edit((draft) =>
                      withValues(draft, [
                        [[...path, 'type'], next.type],
                        [[...path, 'config'], next.example],
                      ]),
                    )
                  }}
                />
              )}
            </Field>
          </OptionRow>
        </div>
      </fieldset>
      {footer}
    </section>
  )
}

function Guarantee({ info, config }: { info: StepTypeInfo; config: Record<string, unknown> }) {
  const { word, sentence } = guaranteeTexts[guaranteeOf(info.guarantee, config)]
  return (
    <p className="flex gap-2 text-small text-text-2">
      <Repeat size={14} aria-hidden className="mt-0.5 shrink-0" />
      <span>
        <strong className="font-medium text-text">{word}.</strong> {sentence} {info.guaranteeNote}
      </span>
    </p>
  )
}

function StepMenu({ editor, step }: { editor: Editor; step: DraftStep }) {
  const { draft, edit, select, unreadable } = editor
  const reason = unreadable ? 'The YAML cannot be read.' : undefined
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${step.name || step.key}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <MenuItem
        icon={<Copy size={14} aria-hidden />}
        disabledReason={reason}
        onSelect={() => {
          edit((now) => withCopy(now, step).text)
          select(draft.steps.length)
        }}
      >
        Duplicate
      </MenuItem>
      <MenuItem
        icon={<Trash2 size={14} aria-hidden />}
        isDanger
        disabledReason={reason}
        onSelect={() => {
          edit((now) => withoutStep(now, step.index))
          select(undefined)
        }}
      >
        Remove step
      </MenuItem>
    </Menu>
  )
}

function waitsFor({ draft }: Editor, step: DraftStep): string {
  const needs = effectiveNeeds(draft.steps, step.index)
  if (needs.length === 0) return 'nothing, begins at once'
  const names = needs.map((key) => draft.steps.find((each) => each.key === key)?.name || key)
  return step.needs === undefined ? `${names.join(', ')}, the step before it` : names.join(', ')
}

/** More steps than this are chosen by typing their keys in the YAML. */
const mostListed = 100

function Needs({ editor, step }: { editor: Editor; step: DraftStep }) {
  const { draft, edit } = editor
  const needs = effectiveNeeds(draft.steps, step.index)
  const others = draft.steps.filter(({ index, key }) => index !== step.index && key !== '')
  if (others.length === 0) return <p className="text-text-2">There is no other step.</p>
  return (
    <>
      <fieldset className="flex max-h-60 flex-col gap-1 overflow-y-auto">
        <legend className="sr-only">Steps that must end before it begins</legend>
        {others.slice(0, mostListed).map((other) => (
          <Checkbox
            key={other.index}
            label={other.name || other.key}
            checked={needs.includes(other.key)}
            onChange={({ target }) => edit((now) => withNeed(now, step.index, other.key, target.checked))}
          />
        ))}
      </fieldset>
      {others.length > mostListed ? (
        <p className="text-small text-text-3">The first {mostListed} steps. Write others as YAML.</p>
      ) : null}
    </>
  )
}

/** The key changes when the field is left: others name it, and follow. */
function KeyField({ editor, step }: { editor: Editor; step: DraftStep }) {
  const [typed, setTyped] = useState(step.key)
  const error = typed === step.key ? undefined : keyError(editor.draft, step, typed)
  return (
    <Field
      label="Key"
      hint="Expressions name the step by it. Those that do are changed with it."
      error={error}
    >
      {(control) => (
        <Input
          {...control}
          className="font-mono text-small"
          value={typed}
          maxLength={63}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => {
            if (typed !== step.key && error === undefined) editor.edit((draft) => withKey(draft, step, typed))
          }}
        />
      )}
    </Field>
  )
}
