import { ChevronDown, ChevronRight } from 'lucide-react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ContextDetail } from './context-detail.tsx'
import { ContextStatus } from './context-status.tsx'
import { type Change, canChoose, type Entry, hasFailed, nameOf } from './import-state.ts'

/** Checkbox, context, connection, version, identity, rights, latency, opener; narrow screens leave out the middle. */
export const rowGrid =
  'grid grid-cols-[1.75rem_minmax(0,1fr)_auto_2.25rem] items-center gap-x-3 px-3 lg:grid-cols-[1.75rem_minmax(0,14fr)_minmax(0,9fr)_minmax(0,8fr)_minmax(0,11fr)_minmax(0,15fr)_4rem_2.25rem]'

export interface ContextRowProps {
  entry: Entry
  titleError: string | undefined
  onChange: (change: Change) => void
  onTest: (entry: Entry) => void
}

export function ContextRow({ entry, titleError, onChange, onTest }: ContextRowProps) {
  const { context, outcome, isOpen, isChosen } = entry
  const name = nameOf(entry)
  const test = outcome.kind === 'tested' ? outcome.test : undefined
  const edit = (values: Extract<Change, { kind: 'edit' }>['values']) =>
    onChange({ kind: 'edit', context: name, values })
  return (
    <li
      className={cx(
        'border-b border-line last:border-b-0',
        isOpen && hasFailed(entry) && 'shadow-[inset_2px_0_0_var(--danger)]',
      )}
    >
      <div className={cx(rowGrid, 'min-h-12 py-1.5')}>
        <Checkbox
          aria-label={`Import ${name}`}
          checked={isChosen}
          disabled={!canChoose(entry)}
          onChange={(event) => edit({ isChosen: event.target.checked })}
        />
        <div className="min-w-0">
          <p className={cx('truncate font-medium', outcome.kind === 'refused' && 'text-text-2')} title={name}>
            {name}
          </p>
          <p className="truncate font-mono text-small text-text-2" title={context.server}>
            {context.server.replace(/^https?:\/\//, '') || 'no server'}
          </p>
        </div>
        <div className="min-w-0 justify-self-end lg:justify-self-start">
          <ContextStatus entry={entry} />
        </div>
        <Cell>{test?.version ?? '—'}</Cell>
        <Cell isWrapped>{test?.identity?.user ?? (test?.rights ? 'not reported' : '—')}</Cell>
        <Cell isWrapped>
          {test?.rights?.summary ?? (outcome.kind === 'refused' ? 'cannot work from a server' : '—')}
        </Cell>
        <span className="hidden text-right text-text-2 tabular-nums lg:block">
          {test?.latencyMs == null ? '—' : `${Math.max(1, Math.round(test.latencyMs))} ms`}
        </span>
        <IconButton
          label={`${isOpen ? 'Close' : 'Open'} ${name}`}
          size="small"
          aria-expanded={isOpen}
          icon={isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
          onClick={() => edit({ isOpen: !isOpen })}
        />
      </div>
      {isOpen || titleError ? (
        <ContextDetail entry={entry} titleError={titleError} onEdit={edit} onTest={onTest} />
      ) : null}
    </li>
  )
}

function Cell({ isWrapped = false, children }: { isWrapped?: boolean; children: string }) {
  return (
    <span
      className={cx('hidden min-w-0 lg:block', isWrapped ? 'line-clamp-2 break-words' : 'truncate')}
      title={children}
    >
      {children}
    </span>
  )
}
