import type { DatabaseSession, LockNode } from '@bey/contract'
import { Ban, OctagonX } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { ThumbBar, thumbItemClass } from '../../../ui/thumb-bar.tsx'
import { toast } from '../../../ui/toast.ts'
import { useIsMobile } from '../../../ui/use-is-mobile.ts'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { EndSessionForm } from './end-session-form.tsx'
import { sessionKey } from './shown-locks.ts'
import type { SessionAct } from './use-session-acts.ts'
import { canCancel, useSessionActs } from './use-session-acts.ts'

type Node = LockNode<DatabaseSession>
type Asked = { pid: number; act: SessionAct; times: number }

/** What was asked for in a row, and what asks for it: a cancel is done at once, an end asks for its reason first. */
export function useLockActs(databaseId: string, onSelect: (pid: number) => void, onDone: () => void) {
  const [asked, setAsked] = useState<Asked>()
  const acts = useSessionActs(databaseId, onDone)
  const run = (act: SessionAct, session: DatabaseSession) => {
    const refusal = acts.refusalOf(session)
    onSelect(session.pid)
    if (refusal !== undefined) toast('error', refusal)
    else if (act === 'end') setAsked({ pid: session.pid, act, times: (asked?.times ?? 0) + 1 })
    else if (canCancel(session)) acts.run('cancel', session, '')
    else toast('error', `Session ${session.pid} executes nothing that could be cancelled: it is idle`)
  }
  return { ...acts, run, asked, forget: () => setAsked(undefined) }
}

interface LockActsProps {
  databaseId: string
  selected: Node
  others: readonly Node[]
  acts: ReturnType<typeof useLockActs>
  onDone: () => void
}

/** How the chosen session is ended: below the tree, or on a phone from the bar at the thumb. */
export function SelectedActs({ databaseId, selected, others, acts, onDone }: LockActsProps) {
  const isMobile = useIsMobile()
  const { session } = selected
  const { pid, client } = session
  const asked = acts.asked?.pid === pid ? acts.asked : undefined
  const other = others
    .filter(({ session: each, frees }) => each.pid !== pid && frees > 0 && canCancel(each))
    .toSorted((a, b) => b.frees - a.frees)[0]
  const form = (
    <EndSessionForm
      key={`${sessionKey(selected)} ${asked?.times ?? 0}`}
      databaseId={databaseId}
      node={selected}
      other={other}
      asked={asked?.act}
      onDone={() => {
        acts.forget()
        onDone()
      }}
    />
  )
  if (!isMobile) return <div className="max-w-3xl px-(--gutter)">{form}</div>
  return (
    <>
      <ThumbBar label={`Actions for session ${pid}`}>
        {canCancel(session) ? (
          <button type="button" onClick={() => acts.run('cancel', session)} className={thumbItemClass}>
            <Ban size={18} aria-hidden />
            {`Cancel statement of ${pid}`}
          </button>
        ) : null}
        <button
          type="button"
          onClick={() => acts.run('end', session)}
          className={`${thumbItemClass} text-danger`}
        >
          <OctagonX size={18} aria-hidden />
          {`End session ${pid}…`}
        </button>
      </ThumbBar>
      <Dialog
        open={asked !== undefined}
        onOpenChange={(open) => (open ? undefined : acts.forget())}
        title={`pid ${pid}, ${client}`}
        size="wide"
      >
        {form}
      </Dialog>
    </>
  )
}

/** Keys of the tree: `j` and `k` choose, `c` cancels, Shift E asks for the reason of an end. */
export function useLockKeys(
  rows: readonly Node[],
  selected: Node | undefined,
  onSelect: (pid: number) => void,
  run: (act: SessionAct, session: DatabaseSession) => void,
): void {
  const move = (by: number) => () => {
    const place = rows.findIndex(({ session }) => session.pid === selected?.session.pid)
    const next = rows[Math.min(rows.length - 1, Math.max(0, place + by))]
    if (next === undefined) return
    onSelect(next.session.pid)
    document.querySelector<HTMLElement>(`[data-lock="${next.session.pid}"]`)?.focus()
  }
  const act = (each: SessionAct) => () => {
    if (selected) run(each, selected.session)
  }
  usePageKeys('Locks', [
    { keys: ['j'], does: 'Choose the next session', run: move(1) },
    { keys: ['k'], does: 'Choose the session before', run: move(-1) },
    { keys: ['c'], does: 'Cancel the statement of the chosen session', run: act('cancel') },
    { keys: ['E'], does: 'End the chosen session', run: act('end') },
  ])
}
