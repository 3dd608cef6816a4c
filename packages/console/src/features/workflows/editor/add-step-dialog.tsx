import type { StepTypeInfo } from '@bey/contract'
import { guaranteeOf, guaranteeTexts } from '@bey/contract'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { StepIcon } from '../graph/step-icon.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import type { DraftStep } from '../definition/draft.ts'

export interface AddStepDialogProps {
  types: readonly StepTypeInfo[]
  /** The step that the new one follows. */
  after: DraftStep | undefined
  onAdd: (type: StepTypeInfo) => void
  onClose: () => void
}

/** Every type of step by its group; typing narrows, Enter adds the first. */
export function AddStepDialog({ types, after, onAdd, onClose }: AddStepDialogProps) {
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const shown = types.filter(({ type, label, description }) =>
    `${type} ${label} ${description}`.toLowerCase().includes(wanted),
  )
  const groups = [...new Set(shown.map(({ group }) => group))]
  const first = groups.flatMap((group) => shown.filter((each) => each.group === group))[0]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !first) return
    event.preventDefault()
    onAdd(first)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Add step"
      description={after ? `It follows ${after.name || after.key}.` : 'It follows the last step.'}
      size="wide"
    >
      <div className="flex flex-col gap-4 pb-2">
        <Input
          data-initial-focus=""
          data-discardable=""
          aria-label="Find a type of step"
          placeholder="Find a type of step"
          value={filter}
          autoComplete="off"
          onChange={({ target }) => setFilter(target.value)}
          onKeyDown={onKeyDown}
        />
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3 className="mb-1 text-small text-text-3">{group}</h3>
            <ul className="grid gap-1.5 sm:grid-cols-2">
              {shown
                .filter((each) => each.group === group)
                .map((each) => (
                  <li key={each.type}>
                    <button
                      type="button"
                      onClick={() => onAdd(each)}
                      className="flex size-full gap-2.5 rounded-control border border-line px-3 py-2 text-left hover:bg-hover"
                    >
                      <span className="mt-0.5 text-text-2">
                        <StepIcon name={each.icon} />
                      </span>
                      <span className="min-w-0">
                        <span className="block font-medium">{each.label}</span>
                        <span className="block text-small text-text-2">{each.description}</span>
                        <span className="block text-small text-text-3">
                          {each.type} ·{' '}
                          {guaranteeTexts[guaranteeOf(each.guarantee, each.example)].word.toLowerCase()}
                        </span>
                      </span>
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        {shown.length === 0 ? <p className="text-text-2">No type of step matches “{filter}”.</p> : null}
      </div>
    </Dialog>
  )
}
