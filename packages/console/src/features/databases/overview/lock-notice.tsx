import type { DatabaseSession, LockSummary } from '@bey/contract'
import type { DatabaseSessions } from '../../../data/database-insight.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { holderText, waitTitle } from './lock-text.ts'

export interface LockNoticeProps {
  databaseId: string
  sessions: DatabaseSessions
  summary: LockSummary<DatabaseSession>
  onEnd: () => void
}

/** Which one session holds the others up, and what its end would free. */
export function LockNotice({ databaseId, sessions, summary, onEnd }: LockNoticeProps) {
  const { best, waiting } = summary
  const frees =
    best.frees === waiting ? (waiting === 1 ? 'the one that waits' : `all ${waiting}`) : best.frees
  return (
    <Notice
      tone="warn"
      title={waitTitle(summary)}
      actions={
        <span className="flex flex-wrap gap-2 max-sm:hidden">
          <ButtonLink href={databaseHref(databaseId, 'locks')}>Open Locks</ButtonLink>
          <Button variant="primary" onClick={onEnd}>
            End session…
          </Button>
        </span>
      }
    >
      {`${holderText(best.session, Date.parse(sessions.at))} Ending it (pid ${best.session.pid}) frees ${frees}.`}
    </Notice>
  )
}
