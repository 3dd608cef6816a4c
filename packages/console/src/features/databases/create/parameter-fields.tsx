import { type DatabasePlanId, databasePlans, manageLimits } from '@bey/contract'
import { newParameterKind, newParameterKinds, sizeParameters } from '@bey/contract/databases/new-parameters'
import { Plus, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { Disclosure } from './disclosure.tsx'
import { type NewParameter, withParameter } from './settings-draft.ts'

const row =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 py-1.5 sm:grid-cols-[13rem_9rem_minmax(0,1fr)_auto]'

/** Parameters of PostgreSQL: those that follow from the size, and those that are set here. */
export function ParameterFields({
  parameters,
  plan,
  errors,
  problems,
  disabledReason,
  onChange,
}: {
  parameters: readonly NewParameter[]
  plan: DatabasePlanId
  /** What was refused, by path. */
  errors: FieldErrors
  /** What is wrong with the values as they are; shown once a field was left. */
  problems: FieldErrors
  /** Why none can be set. */
  disabledReason: string | undefined
  onChange: (parameters: readonly NewParameter[]) => void
}) {
  const [typed, setTyped] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const added = useRef<string>(undefined)
  const names = useId()
  const set = new Set(parameters.map(({ name }) => name))
  const bySize = sizeParameters(databasePlans[plan]).filter(({ name }) => !set.has(name))
  const errorOf = (name: string) => {
    const path = `parameters.${name}`
    return errors[path] ?? (left.has(name) ? problems[path] : undefined)
  }
  const add = () => {
    const next = withParameter(parameters, typed, plan)
    if ('problem' in next) return setRefusal(next.problem)
    added.current = next.name
    setTyped('')
    setRefusal(undefined)
    onChange(next.parameters)
  }
  return (
    <Disclosure
      title="Parameters"
      aside={`${bySize.length} follow from the size, ${parameters.length} set here`}
      isForced={refusal !== undefined || parameters.some(({ name }) => errorOf(name) !== undefined)}
    >
      <ul aria-label="Parameters" className="divide-y divide-line border-y border-line">
        {bySize.map(({ name, value, why, needsRestart }) => (
          <li key={name} className={row}>
            <code className="text-small break-all">{name}</code>
            <span className="order-3 sm:order-none">{value}</span>
            <span className="order-3 text-text-2 sm:order-none">{why}</span>
            <When needsRestart={needsRestart} />
          </li>
        ))}
        {parameters.map(({ name, value }) => (
          <SetParameter
            key={name}
            name={name}
            value={value}
            error={errorOf(name)}
            isAdded={() => {
              const isIt = added.current === name
              if (isIt) added.current = undefined
              return isIt
            }}
            onLeave={() => setLeft(new Set([...left, name]))}
            onChange={(next) =>
              onChange(parameters.map((each) => (each.name === name ? { name, value: next } : each)))
            }
            onRemove={() => onChange(parameters.filter((each) => each.name !== name))}
          />
        ))}
      </ul>
      <div className="mt-3 flex items-start gap-2">
        <Field
          label="Set another"
          className="min-w-0 flex-1"
          hint={`One of ${newParameterKinds.length} by name; PostgreSQL's own default is filled in.`}
          error={refusal}
        >
          {(control) => (
            <>
              <Input
                {...control}
                list={names}
                value={typed}
                placeholder="log_min_duration_statement"
                className="font-mono text-small"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                maxLength={63}
                onChange={({ target }) => {
                  setTyped(target.value)
                  setRefusal(undefined)
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  // It adds the parameter instead of creating the database.
                  event.preventDefault()
                  if (disabledReason === undefined) add()
                }}
              />
              <datalist id={names}>
                {newParameterKinds
                  .filter(({ name }) => !set.has(name))
                  .map(({ name, about }) => (
                    <option key={name} value={name}>
                      {about}
                    </option>
                  ))}
              </datalist>
            </>
          )}
        </Field>
        <Button
          className="mt-6"
          icon={<Plus size={14} aria-hidden />}
          disabledReason={disabledReason}
          disabled={parameters.length >= manageLimits.changes}
          onClick={add}
        >
          Set
        </Button>
      </div>
    </Disclosure>
  )
}

function SetParameter({
  name,
  value,
  error,
  isAdded,
  onLeave,
  onChange,
  onRemove,
}: NewParameter & {
  error: string | undefined
  /** True once, for the one that was added last: its value gets the focus. */
  isAdded: () => boolean
  onLeave: () => void
  onChange: (value: string) => void
  onRemove: () => void
}) {
  const id = useId()
  const kind = newParameterKind(name)
  if (kind === undefined) return null
  const control = {
    'aria-label': `Value of ${name}`,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': `${id} ${id}-error`,
    value,
    onBlur: onLeave,
  }
  const focus = (element: HTMLElement | null) => {
    if (element !== null && isAdded()) element.focus()
  }
  const choices = kind.type === 'bool' ? ['on', 'off'] : kind.values
  return (
    <li className={row}>
      <code className="text-small font-semibold break-all">{name}</code>
      <span className="order-3 col-span-2 sm:order-none sm:col-span-1">
        {choices.length > 0 ? (
          <Select
            {...control}
            ref={focus}
            controlSize="small"
            className="w-full"
            options={choices.map((each) => ({ value: each, label: each }))}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <Input
            {...control}
            ref={focus}
            controlSize="small"
            maxLength={manageLimits.value}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </span>
      <span className="order-3 col-span-2 text-text-2 sm:order-none sm:col-span-1">
        set here, default {kind.default === '' ? 'empty' : kind.default}
      </span>
      <span className="flex items-center gap-1">
        <When needsRestart={kind.context === 'postmaster'} />
        <IconButton
          size="small"
          icon={<X size={14} aria-hidden />}
          label={`Do not set ${name}`}
          onClick={onRemove}
        />
      </span>
      <p id={id} className="order-3 col-span-full text-small text-text-3">
        {kind.about}
      </p>
      <p
        id={`${id}-error`}
        role="alert"
        className={error === undefined ? 'hidden' : 'order-3 col-span-full text-small text-danger'}
      >
        {error}
      </p>
    </li>
  )
}

/** When a change takes effect later on. */
const When = ({ needsRestart }: { needsRestart: boolean }) => (
  <span className="text-right text-small whitespace-nowrap text-text-3">
    {needsRestart ? 'restart' : 'at once'}
  </span>
)
