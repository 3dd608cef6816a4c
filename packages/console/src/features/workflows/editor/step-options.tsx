import type { StepTypeInfo } from '@bey/contract'
import { limitActions, retryReasons } from '@bey/contract'
import type { ReactNode } from 'react'
import { DurationField } from '../schema-form/duration-field.tsx'
import { SchemaFields } from '../schema-form/schema-fields.tsx'
import type { TextFieldProps } from '../schema-form/text-field.ts'
import { formatCount } from '../../../lib/format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import type { DraftStep } from '../definition/draft.ts'
import { isRecord } from '../definition/draft.ts'
import { OptionRow } from './option-row.tsx'

export interface StepOptionsProps {
  step: DraftStep
  types: readonly StepTypeInfo[]
  /** Changes a value of the step; undefined removes it. */
  onChange: (path: readonly (string | number)[], value: unknown, how?: 'typing') => void
  errorOf: (path: string) => string | undefined
  textField: (props: TextFieldProps) => ReactNode
}

/** What every step can have beside its config: when, how often, how long, and what if it fails. */
export function StepOptions(props: StepOptionsProps) {
  const { step, onChange, errorOf, textField } = props
  const { when, foreach, timeout_ms: timeout, concurrency } = step.raw
  const each = isRecord(foreach) ? foreach : undefined
  return (
    <div className="border-b border-line">
      <OptionRow
        title="Run when"
        summary={typeof when === 'string' ? when : 'always'}
        isOpen={errorOf('when') !== undefined}
      >
        {textField({
          label: 'Condition',
          hint: 'The step is skipped unless this is true.',
          error: errorOf('when'),
          required: false,
          value: textOf(when),
          syntax: 'expression',
          rows: 2,
          isCode: true,
          onChange: (text) => onChange(['when'], text || undefined, 'typing'),
        })}
      </OptionRow>
      <OptionRow title="For each" summary={each ? textOf(each['items']) : 'once'}>
        {textField({
          label: 'Items',
          hint: 'The step runs once for each item of this list, available as item and index.',
          error: errorOf('foreach.items'),
          required: false,
          value: textOf(each?.['items']),
          syntax: 'expression',
          rows: 1,
          isCode: true,
          onChange: (text) =>
            text === '' ? onChange(['foreach'], undefined) : onChange(['foreach', 'items'], text, 'typing'),
        })}
        {each ? (
          <NumberInput
            label="At once"
            hint="How many items are processed in parallel; 5 by default."
            value={each['max_parallel']}
            onChange={(value) => onChange(['foreach', 'max_parallel'], value, 'typing')}
          />
        ) : null}
      </OptionRow>
      <OptionRow
        title="Time-out"
        summary={typeof timeout === 'number' ? durationWords(timeout) : 'of the type'}
      >
        <DurationField
          label="Ends after"
          hint="An attempt that takes longer fails as timed out."
          error={errorOf('timeout_ms')}
          value={timeout}
          onChange={(value) => onChange(['timeout_ms'], value, 'typing')}
        />
      </OptionRow>
      <Failure {...props} />
      <OptionRow
        title="One at a time"
        summary={isRecord(concurrency) ? `per ${textOf(concurrency['key'])}` : 'no limit'}
      >
        <Concurrency
          value={concurrency}
          onChange={(path, value, how) => onChange(['concurrency', ...path], value, how)}
          onRemove={() => onChange(['concurrency'], undefined)}
          textField={textField}
        />
      </OptionRow>
    </div>
  )
}

function Failure({ step, types, onChange, textField }: StepOptionsProps) {
  const { retry, compensate, continue_on_error: goesOn } = step.raw
  const again = isRecord(retry) ? retry : undefined
  const undo = isRecord(compensate) ? compensate : undefined
  const on = Array.isArray(again?.['on']) ? again['on'].map(String) : undefined
  const undoType = types.find(({ type }) => type === undo?.['type'])
  const summary = [
    again ? formatCount(Number(again['limit'] ?? 0), 'retry', 'retries') : '',
    undo ? 'then undo it' : '',
    goesOn === true ? 'then go on' : 'then the run fails',
  ].filter(Boolean)
  return (
    <OptionRow title="When it fails" summary={summary.join(', ')}>
      <div className="grid grid-cols-2 gap-3">
        <NumberInput
          label="Retries"
          value={again?.['limit']}
          onChange={(value) =>
            value === undefined
              ? onChange(['retry'], undefined)
              : onChange(['retry', 'limit'], value, 'typing')
          }
        />
        {again ? (
          <DurationField
            label="First wait"
            value={again['initial_ms']}
            placeholder="1"
            onChange={(value) => onChange(['retry', 'initial_ms'], value, 'typing')}
          />
        ) : null}
      </div>
      {again ? (
        <>
          <div className="grid grid-cols-2 gap-3">
            <NumberInput
              label="Backoff factor"
              value={again['factor']}
              placeholder="2"
              onChange={(value) => onChange(['retry', 'factor'], value, 'typing')}
            />
            <DurationField
              label="Longest wait"
              value={again['max_ms']}
              placeholder="60"
              onChange={(value) => onChange(['retry', 'max_ms'], value, 'typing')}
            />
          </div>
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 font-medium">Retry after</legend>
            {retryReasons.map((reason) => (
              <Checkbox
                key={reason}
                label={reason.replaceAll('_', ' ')}
                checked={on === undefined || on.includes(reason)}
                onChange={({ target }) => {
                  const now = on ?? [...retryReasons]
                  const next = target.checked ? [...now, reason] : now.filter((one) => one !== reason)
                  onChange(['retry', 'on'], next.length === retryReasons.length ? undefined : next)
                }}
              />
            ))}
          </fieldset>
        </>
      ) : null}
      <Checkbox
        label="Continue on failure"
        hint="Steps that wait for it still run."
        checked={goesOn === true}
        onChange={({ target }) => onChange(['continue_on_error'], target.checked ? true : undefined)}
      />
      <Field label="Undo it when a later step fails" required={false}>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={textOf(undo?.['type'])}
            options={[
              { value: '', label: 'Nothing to undo' },
              ...types.map(({ type, label }) => ({ value: type, label: `${label} (${type})` })),
            ]}
            onChange={({ target }) => {
              const chosen = types.find(({ type }) => type === target.value)
              onChange(['compensate'], chosen ? { type: chosen.type, config: chosen.example } : undefined)
            }}
          />
        )}
      </Field>
      {undo && undoType ? (
        <SchemaFields
          schema={undoType.configSchema}
          values={isRecord(undo['config']) ? undo['config'] : {}}
          onChange={(name, value) => onChange(['compensate', 'config', name], value, 'typing')}
          textField={textField}
        />
      ) : null}
    </OptionRow>
  )
}

export interface ConcurrencyProps {
  value: unknown
  onChange: (path: readonly string[], value: unknown, how?: 'typing') => void
  onRemove: () => void
  textField: (props: TextFieldProps) => ReactNode
}

/** How many with the same key may go on at once, and what becomes of the next. */
export function Concurrency({ value, onChange, onRemove, textField }: ConcurrencyProps) {
  const given = isRecord(value) ? value : undefined
  return (
    <>
      {textField({
        label: 'Key',
        hint: 'Steps with the same key share the limit, for example {{ inputs.cluster }}.',
        required: false,
        value: textOf(given?.['key']),
        syntax: 'template',
        rows: 1,
        isCode: false,
        onChange: (text) => (text === '' ? onRemove() : onChange(['key'], text, 'typing')),
      })}
      {given ? (
        <div className="grid grid-cols-2 gap-3">
          <NumberInput
            label="At once"
            value={given['max']}
            placeholder="1"
            onChange={(next) => onChange(['max'], next, 'typing')}
          />
          <Field label="The next one">
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={textOf(given['on_limit'] ?? 'queue')}
                options={limitActions.map((action) => ({ value: action, label: limitLabels[action] }))}
                onChange={({ target }) => onChange(['on_limit'], target.value)}
              />
            )}
          </Field>
        </div>
      ) : null}
    </>
  )
}

const limitLabels = { queue: 'waits', skip: 'is skipped', replace: 'replaces the first' } as const

export interface NumberInputProps {
  label: string
  hint?: string
  value: unknown
  placeholder?: string
  error?: string | undefined
  onChange: (value: unknown) => void
}

export function NumberInput({ label, hint, value, placeholder, error, onChange }: NumberInputProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          value={textOf(value)}
          placeholder={placeholder}
          autoComplete="off"
          onChange={({ target }) => {
            const isNumber = /^-?\d+(\.\d+)?$/.test(target.value)
            onChange(target.value === '' ? undefined : isNumber ? Number(target.value) : target.value)
          }}
        />
      )}
    </Field>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function durationWords(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`
}
