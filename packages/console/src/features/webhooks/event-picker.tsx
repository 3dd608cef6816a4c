import { auditEntriesEvent, isCustomEvent, sampleMessageOf, webhookEvents } from '@bey/contract'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CustomEvents } from './custom-events.tsx'

export interface EventPickerProps {
  chosen: readonly string[]
  error: string | undefined
  onChange: (chosen: readonly string[]) => void
}

/** What happens to things; the audit log repeats all of it, and is chosen by itself. */
const happenings = webhookEvents.map(({ name }) => name).filter((name) => name !== auditEntriesEvent)

/** Every event of the catalogue, and those of the organization’s own workflows, with when it is sent, and a sample of each on demand. */
export function EventPicker({ chosen, error, onChange }: EventPickerProps) {
  const [sampleOf, setSampleOf] = useState<string>()
  const own = chosen.filter(isCustomEvent)
  const others = chosen.filter((name) => name === auditEntriesEvent || isCustomEvent(name))
  const isAll = happenings.every((name) => chosen.includes(name))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby="webhook-events-error">
      <legend className="mb-1.5 font-medium text-text">Events</legend>
      <ul className="divide-y divide-line rounded-control border border-line">
        <li className="px-3 py-2">
          <Checkbox
            label={<span className="font-medium">All events of the product</span>}
            hint="All but the audit log, which repeats them."
            checked={isAll}
            indeterminate={chosen.length > others.length && !isAll}
            onChange={() => onChange(isAll ? others : [...happenings, ...others])}
          />
        </li>
        {webhookEvents.map(({ name, about }) => (
          <li key={name} className="px-3 py-2">
            <div className="flex items-start justify-between gap-3">
              <Checkbox
                className="min-w-0"
                label={<code className="font-mono text-small">{name}</code>}
                hint={about}
                aria-label={name}
                aria-invalid={error ? true : undefined}
                checked={chosen.includes(name)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
                }
              />
              <Button
                variant="ghost"
                size="small"
                aria-expanded={sampleOf === name}
                aria-label={`Sample of ${name}`}
                onClick={() => setSampleOf(sampleOf === name ? undefined : name)}
              >
                Sample
              </Button>
            </div>
            {sampleOf === name ? (
              <div className="mt-2">
                <CodeBlock
                  label={`Message of ${name}`}
                  maxHeight="16rem"
                  text={JSON.stringify(sampleMessageOf(name, location.origin), null, 2)}
                />
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      <CustomEvents
        chosen={own}
        onAdd={(name) => onChange(chosen.includes(name) ? chosen : [...chosen, name])}
        onRemove={(name) => onChange(chosen.filter((each) => each !== name))}
      />
      <p id="webhook-events-error" role="alert" className={error ? 'text-small text-danger' : 'hidden'}>
        {error}
      </p>
    </fieldset>
  )
}
