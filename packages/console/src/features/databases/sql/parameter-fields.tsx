import { useId } from 'react'
import { cx } from '../../../ui/class-names.ts'
import { Input } from '../../../ui/input.tsx'

export type ParameterValues = Readonly<Record<string, string | null>>

interface ParameterFieldsProps {
  names: readonly string[]
  values: ParameterValues
  /** What is wrong with a value, as a sentence, by the name of its parameter. */
  problems: Readonly<Record<string, string>>
  /** The parameter whose value the server refused; its words stand in the answer. */
  refused: string | undefined
  onChange: (name: string, value: string | null) => void
  onSubmit: () => void
}

/** A field for each parameter of the statement. Its value is bound; the server of the database chooses its type. */
export function ParameterFields({
  names,
  values,
  problems,
  refused,
  onChange,
  onSubmit,
}: ParameterFieldsProps) {
  if (names.length === 0) return null
  return (
    <fieldset className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-(--gutter) py-2">
      <legend className="sr-only">Parameters</legend>
      {names.map((name) => (
        <ParameterField
          key={name}
          name={name}
          value={values[name] === undefined ? '' : values[name]}
          problem={problems[name]}
          isRefused={name === refused}
          onChange={(value) => onChange(name, value)}
          onSubmit={onSubmit}
        />
      ))}
    </fieldset>
  )
}

interface ParameterFieldProps {
  name: string
  value: string | null
  problem: string | undefined
  isRefused: boolean
  onChange: (value: string | null) => void
  onSubmit: () => void
}

function ParameterField({ name, value, problem, isRefused, onChange, onSubmit }: ParameterFieldProps) {
  const id = useId()
  const isNull = value === null
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="flex items-center gap-2">
        <label htmlFor={id} className="max-w-40 truncate font-mono text-small" title={`:${name}`}>
          {`:${name}`}
        </label>
        <Input
          id={id}
          controlSize="small"
          data-parameter={name}
          value={value ?? ''}
          placeholder={isNull ? 'NULL' : undefined}
          aria-invalid={problem === undefined && !isRefused ? undefined : true}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) onSubmit()
          }}
          className="max-w-44"
        />
        <button
          type="button"
          aria-pressed={isNull}
          aria-label={`NULL for :${name}`}
          onClick={() => onChange(isNull ? '' : null)}
          className={cx(
            'h-6 rounded-badge border px-1.5 font-mono text-meta touch:h-9',
            isNull ? 'border-control bg-active text-text' : 'border-line text-text-3 hover:text-text',
          )}
        >
          NULL
        </button>
      </span>
      {problem === undefined ? null : (
        <span id={`${id}-problem`} role="alert" className="max-w-80 text-small text-danger">
          {problem}
        </span>
      )}
    </div>
  )
}
