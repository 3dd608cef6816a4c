import { Plus, Users, X } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { cx } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { SqlTabs, SqlTabText } from './sql-tabs.ts'
import { isEdited } from './sql-tabs.ts'

interface SqlTabBarProps {
  state: SqlTabs
  onSelect: (id: string) => void
  onAdd: () => void
  onClose: (id: string) => void
  /** Acts on the current statement, at the end. */
  children: ReactNode
}

/** The statements that are open, by name. One that would be lost is closed only when that was confirmed. */
export function SqlTabBar({ state, onSelect, onAdd, onClose, children }: SqlTabBarProps) {
  const [closing, setClosing] = useState<SqlTabText>()
  const close = (tab: SqlTabText) => (isEdited(tab) ? setClosing(tab) : onClose(tab.id))
  return (
    <div className="flex items-center gap-2 border-b border-line pr-(--gutter) pl-3">
      <nav aria-label="Open statements" className="min-w-0 flex-1">
        <ul className="-mb-px flex overflow-x-auto">
          {state.tabs.map((tab) => (
            <OpenTab
              key={tab.id}
              tab={tab}
              isCurrent={tab.id === state.current}
              onSelect={() => onSelect(tab.id)}
              onClose={() => close(tab)}
            />
          ))}
          <li className="flex items-center pl-1">
            <IconButton
              size="small"
              icon={<Plus size={14} aria-hidden />}
              label="New statement"
              onClick={onAdd}
            />
          </li>
        </ul>
      </nav>
      {children}
      <Dialog
        open={closing !== undefined}
        onOpenChange={(open) => (open ? undefined : setClosing(undefined))}
        title={`Close ${closing?.name ?? ''}?`}
        description={
          closing?.saved
            ? 'Its changes are not saved and are lost. The saved query stays as it is.'
            : 'Its statement is not saved and is lost.'
        }
        footer={
          <>
            <Button onClick={() => setClosing(undefined)}>Keep it open</Button>
            <Button
              variant="danger"
              onClick={() => {
                if (closing) onClose(closing.id)
                setClosing(undefined)
              }}
            >
              Close and lose it
            </Button>
          </>
        }
        isModalStrict
      />
    </div>
  )
}

interface OpenTabProps {
  tab: SqlTabText
  isCurrent: boolean
  onSelect: () => void
  onClose: () => void
}

function OpenTab({ tab, isCurrent, onSelect, onClose }: OpenTabProps) {
  const { name, saved } = tab
  return (
    <li
      className={cx(
        'flex max-w-56 shrink-0 items-center border-b-2 pr-0.5',
        isCurrent ? 'border-accent' : 'border-transparent text-text-2 hover:text-text',
      )}
    >
      <button
        type="button"
        aria-current={isCurrent ? 'true' : undefined}
        data-tooltip={name.length > 24 ? name : undefined}
        onClick={onSelect}
        className="flex h-9 min-w-0 items-center gap-1.5 rounded-control pr-1 pl-2 font-medium -outline-offset-2"
      >
        <span className="truncate">{name}</span>
        {saved?.isShared ? (
          <>
            <Users size={12} className="shrink-0 text-text-3" aria-hidden />
            <span className="sr-only">, shared</span>
          </>
        ) : null}
        {saved !== null && isEdited(tab) ? (
          <>
            <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-control" />
            <span className="sr-only">, changed since it was saved</span>
          </>
        ) : null}
      </button>
      <IconButton size="small" icon={<X size={12} aria-hidden />} label={`Close ${name}`} onClick={onClose} />
    </li>
  )
}
