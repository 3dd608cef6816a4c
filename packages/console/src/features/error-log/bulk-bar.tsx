import type { ErrorGroup, ErrorGroupStatus } from '@bey/contract'
import { Check, CircleSlash, RotateCcw } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { StatusChange } from './status-undo-bar.tsx'
import { useErrorStatus } from './use-error-status.ts'

const icon = { size: 14, 'aria-hidden': true } as const

const actions = [
  { status: 'resolved', label: 'Resolve', icon: <Check {...icon} /> },
  { status: 'ignored', label: 'Ignore', icon: <CircleSlash {...icon} /> },
  { status: 'open', label: 'Reopen', icon: <RotateCcw {...icon} /> },
] as const

export interface BulkBarProps {
  /** At least one. */
  selected: readonly ErrorGroup[]
  onChange: (change: StatusChange) => void
  /** These are selected from now on. */
  onSelect: (groups: readonly ErrorGroup[]) => void
}

/** In the place of the filters while errors are selected: what can be done with all of them at once. */
export function BulkBar({ selected, onChange, onSelect }: BulkBarProps) {
  const { set, isPending, disabledReason } = useErrorStatus()
  const move = async (status: ErrorGroupStatus) => {
    const others = selected.filter((group) => group.status !== status)
    const moved = await set(others, status)
    if (moved.length > 0) onChange({ groups: moved, to: status })
    // What failed stays selected, to be tried again.
    keep(others.filter((group) => !moved.includes(group)))
  }
  const keep = (groups: readonly ErrorGroup[]) => {
    onSelect(groups)
    // The bar goes and would take the focus with it.
    if (groups.length === 0) document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  }
  return (
    <fieldset
      aria-label="Selected errors"
      className="flex min-w-0 flex-wrap content-start items-center gap-2"
    >
      <output className="mr-1 flex h-7 items-center font-medium tabular-nums">
        {selected.length} selected
      </output>
      {actions.map(({ status, label, icon: mark }) =>
        selected.every((group) => group.status === status) ? null : (
          <Button
            key={status}
            size="small"
            icon={mark}
            busy={isPending}
            disabledReason={disabledReason}
            onClick={() => void move(status)}
          >
            {label}
          </Button>
        ),
      )}
      <Button size="small" variant="ghost" onClick={() => keep([])}>
        Clear selection
      </Button>
    </fieldset>
  )
}
