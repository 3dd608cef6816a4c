import type { NamedSet } from '@bey/contract/networks/rules'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'

/** Ranges under names, each set in a row, for rules of security groups. */
export function SetFields({
  sets,
  errors,
  onChange,
}: {
  sets: readonly NamedSet[]
  errors: Readonly<Record<string, string>>
  onChange: (sets: NamedSet[]) => void
}) {
  const set = (at: number, part: Partial<NamedSet>) =>
    onChange(sets.map((each, index) => (index === at ? { ...each, ...part } : each)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">
        Named sets <span className="ml-1 font-normal text-text-3">optional</span>
      </legend>
      <p className="text-small text-text-3">
        Ranges under a name, such as those of an office, that rules of security groups let in or call.
      </p>
      {sets.map(({ name, cidrs }, at) => {
        const error = errors[`sets.${at}.name`] ?? errors[`sets.${at}.cidrs`]
        return (
          <div key={at}>
            <div className="flex items-center gap-2">
              <Input
                aria-label={`Name of set ${at + 1}`}
                aria-invalid={errors[`sets.${at}.name`] ? true : undefined}
                value={name}
                placeholder="office"
                autoComplete="off"
                spellCheck={false}
                className="min-w-0 flex-1"
                onChange={(event) => set(at, { name: event.target.value })}
              />
              <Ranges
                label={`Ranges of set ${at + 1}`}
                isInvalid={errors[`sets.${at}.cidrs`] !== undefined}
                cidrs={cidrs}
                onChange={(next) => set(at, { cidrs: next })}
              />
              <IconButton
                label={`Remove set ${name || at + 1}`}
                icon={<X size={14} aria-hidden />}
                onClick={() => onChange(sets.filter((_, index) => index !== at))}
              />
            </div>
            {error ? (
              <p role="alert" className="mt-1 text-small text-danger">
                {error}
              </p>
            ) : null}
          </div>
        )
      })}
      <div>
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...sets, { name: '', cidrs: [] }])}
        >
          Add named set
        </Button>
      </div>
    </fieldset>
  )
}

/** What is typed stays as it is until the field is left. */
function Ranges({
  label,
  isInvalid,
  cidrs,
  onChange,
}: {
  label: string
  isInvalid: boolean
  cidrs: readonly string[]
  onChange: (cidrs: string[]) => void
}) {
  const [text, setText] = useState<string>()
  return (
    <Input
      aria-label={label}
      aria-invalid={isInvalid ? true : undefined}
      value={text ?? cidrs.join(', ')}
      placeholder="203.0.113.0/24, 198.51.100.7/32"
      autoComplete="off"
      spellCheck={false}
      className="min-w-0 flex-[2] font-mono"
      onBlur={() => setText(undefined)}
      onChange={(event) => {
        setText(event.target.value)
        const given = event.target.value.split(',').map((each) => each.trim())
        onChange(given.filter((each) => each !== ''))
      }}
    />
  )
}
