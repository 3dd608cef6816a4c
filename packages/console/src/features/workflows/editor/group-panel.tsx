import { X } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { PaneHead } from './pane-head.tsx'
import type { Editor } from './use-editor.ts'

const mostListed = 200

/** The steps that the graph draws as one; choosing one opens its form. */
export function GroupPanel(props: { editor: Editor; members: readonly string[]; onClose: () => void }) {
  const { editor, members, onClose } = props
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const keys = new Set(members)
  const steps = editor.draft.steps.filter(
    ({ key, name }) => keys.has(key) && `${key} ${name}`.toLowerCase().includes(wanted),
  )
  return (
    <section aria-label="Steps drawn as one" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <PaneHead
        title={formatCount(members.length, 'step')}
        detail="drawn as one"
        actions={
          <IconButton
            label="Close the list"
            size="small"
            icon={<X size={16} aria-hidden />}
            onClick={onClose}
          />
        }
      />
      <div className="px-4 py-3">
        <FilterInput label="Filter these steps" value={filter} onChange={setFilter} />
      </div>
      <ul className="min-h-0 flex-1 overflow-y-auto border-t border-line">
        {steps.slice(0, mostListed).map((step) => (
          <li key={step.index} className="border-b border-line">
            <button
              type="button"
              onClick={() => {
                onClose()
                editor.select(step.index)
              }}
              className="flex min-h-9 w-full items-center gap-2 px-4 text-left -outline-offset-2 hover:bg-hover"
            >
              <span className="min-w-0 flex-1 truncate">{step.name || step.key}</span>
              <span className="font-mono text-small text-text-3">{step.type}</span>
            </button>
          </li>
        ))}
      </ul>
      {steps.length > mostListed ? (
        <p className="border-t border-line px-4 py-2 text-small text-text-2">
          The first {mostListed} of {steps.length}. Filter to find others.
        </p>
      ) : null}
    </section>
  )
}
