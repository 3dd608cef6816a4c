import { History, ListTree, OctagonX, Plug, SquareTerminal } from 'lucide-react'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { Link } from '../../../ui/link.tsx'
import { ThumbBar, thumbItemClass } from '../../../ui/thumb-bar.tsx'

export interface OverviewBarProps {
  databaseId: string
  name: string
  hasSql: boolean
  hasBackups: boolean
  /** What ends the session that holds the others up; left out where nothing waits. */
  onEnd: (() => void) | undefined
}

/** On a phone: what to do now, else the ways on that are taken most. */
export function OverviewBar({ databaseId, name, hasSql, hasBackups, onEnd }: OverviewBarProps) {
  const link = (tab: string, label: string, Icon: typeof Plug) => (
    <Link href={databaseHref(databaseId, tab)} className={thumbItemClass}>
      <Icon size={18} aria-hidden />
      {label}
    </Link>
  )
  return (
    <ThumbBar label={`Actions for ${name}`}>
      {onEnd === undefined ? (
        <>
          {link('connect', 'Connect', Plug)}
          {hasSql ? link('sql', 'SQL', SquareTerminal) : null}
          {hasBackups ? link('backups', 'Restore…', History) : null}
        </>
      ) : (
        <>
          {link('locks', 'Open the tree', ListTree)}
          <button type="button" onClick={onEnd} className={`${thumbItemClass} text-danger`}>
            <OctagonX size={18} aria-hidden />
            End session…
          </button>
        </>
      )}
    </ThumbBar>
  )
}
