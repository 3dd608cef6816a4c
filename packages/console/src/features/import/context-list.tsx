import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/class-names.ts'
import { ContextRow, rowGrid } from './context-row.tsx'
import type { Change, Entry } from './import-state.ts'
import { canChoose, nameOf, ordered } from './import-state.ts'

export interface ContextListProps {
  entries: readonly Entry[]
  errorOf: (entry: Entry) => string | undefined
  onChange: (change: Change) => void
  onTest: (entry: Entry) => void
}

/** Every context of the file with what its test found. */
export function ContextList({ entries, errorOf, onChange, onTest }: ContextListProps) {
  const usable = entries.filter(canChoose)
  const chosen = usable.filter(({ isChosen }) => isChosen).length
  return (
    <div className="rounded-card border border-line">
      <div className={cx(rowGrid, 'min-h-8 border-b border-line text-small text-text-2')}>
        <Checkbox
          aria-label="Import all that passed"
          checked={chosen > 0 && chosen === usable.length}
          indeterminate={chosen > 0 && chosen < usable.length}
          disabled={usable.length === 0}
          onChange={(event) => onChange({ kind: 'chooseAll', isChosen: event.target.checked })}
        />
        <span>Context and server</span>
        <span className="justify-self-end lg:justify-self-start">Connection</span>
        {['Version', 'Identity', 'Rights'].map((label) => (
          <span key={label} className="hidden lg:block">
            {label}
          </span>
        ))}
        <span className="hidden text-right lg:block">Latency</span>
        <span />
      </div>
      <ul aria-label="Contexts">
        {ordered(entries).map((entry) => (
          <ContextRow
            key={nameOf(entry)}
            entry={entry}
            titleError={errorOf(entry)}
            onChange={onChange}
            onTest={onTest}
          />
        ))}
      </ul>
    </div>
  )
}
