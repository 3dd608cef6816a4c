import { customEventPrefix, isCustomEvent } from '@bey/contract'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'

export interface CustomEventsProps {
  chosen: readonly string[]
  onAdd: (name: string) => void
  onRemove: (name: string) => void
}

/** Events that workflows of the organization emit; their names are typed. */
export function CustomEvents({ chosen, onAdd, onRemove }: CustomEventsProps) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const add = () => {
    const typed = name.trim()
    const full = typed.startsWith(customEventPrefix) ? typed : `${customEventPrefix}${typed}`
    if (!isCustomEvent(full)) {
      setError('Use lower-case words with dots between them, such as deployment.finished.')
      return
    }
    onAdd(full)
    setName('')
    setError(undefined)
  }
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Events of your workflows"
        required={false}
        hint="A step of the type webhook.emit sends them, under a name that begins with custom."
        error={error}
      >
        {(control) => (
          <span className="flex gap-2">
            <Input
              {...control}
              className="min-w-0 flex-1 font-mono text-small"
              placeholder="custom.deployment.finished"
              value={name}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setName(target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              }}
            />
            <Button
              icon={<Plus size={14} aria-hidden />}
              disabledReason={name.trim() === '' ? 'Type the name of an event.' : undefined}
              onClick={add}
            >
              Add event
            </Button>
          </span>
        )}
      </Field>
      {chosen.length > 0 ? (
        <ul aria-label="Events of your workflows" className="flex flex-wrap gap-2">
          {chosen.map((each) => (
            <li
              key={each}
              className="flex items-center gap-1 rounded-badge border border-line pl-2 font-mono text-small"
            >
              {each}
              <IconButton
                label={`Remove ${each}`}
                icon={<X size={12} aria-hidden />}
                size="small"
                onClick={() => onRemove(each)}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
