import { backupLimits, type DatabaseSwap, deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { causeOf, errorText } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { momentText, sinceText } from '../../../ui/time-text.ts'
import { toast } from '../../../ui/toast.ts'
import { LeftRows } from './left-rows.tsx'
import { SwapComparison, useSwapComparison } from './swap-comparison.tsx'
import { affectedBySwap, tablesThatDiffer } from './swap-effects.ts'

/**
 * What is to be known of a copy that can take the place of its source, and of a swap that can be undone. `isCompared`: with what
 * the swap would change, table by table.
 */
export function CopyNotice({ database, isCompared }: { database: Database; isCompared: boolean }) {
  const latest = useRead('databases.swaps.latest', { params: { id: database.id } })
  const swap = latest.data?.swap ?? null
  const isShown = swap !== null && swap.status !== 'undone' && swap.status !== 'ended'
  const { restoredFrom } = database
  const isOffered =
    database.status === 'available' && latest.data !== undefined && (!isShown || swap.status === 'failed')
  const offered = isOffered ? restoredFrom : null
  if (!isShown && offered === null) return null
  return (
    <>
      <div className="flex flex-col gap-2 px-(--gutter) py-4">
        {isShown ? <SwapNotice database={database} swap={swap} /> : null}
        {offered === null ? null : <SwapOffer database={database} source={offered} />}
      </div>
      {offered === null || !isCompared ? null : <SwapComparison copy={database} source={offered} />}
      {isCompared && swap?.status === 'completed' && swap.databaseId === database.id ? (
        <LeftRows database={database} old={swap.oldDatabase} />
      ) : null}
    </>
  )
}

type Source = NonNullable<Database['restoredFrom']>

function SwapNotice({ database, swap }: { database: Database; swap: DatabaseSwap }) {
  const undo = useChange('databases.undoSwap')
  const role = useRole()
  const stale = useStaleReason()
  const isOld = swap.oldDatabase.id === database.id
  const other = isOld ? (
    <Link href={databaseHref(swap.databaseId)} className="underline">
      the copy
    </Link>
  ) : (
    <Link href={databaseHref(swap.oldDatabase.id)} className="underline">
      {swap.oldDatabase.name}
    </Link>
  )
  const run =
    swap.run === null ? null : (
      <Link href={`/workflows/${swap.run.workflowId}/runs/${swap.run.runId}`} className="underline">
        Open the run
      </Link>
    )
  if (swap.status === 'pending' || swap.status === 'running')
    return <Notice tone="info" title="A copy is taking the place of a database" actions={run} />
  if (swap.status === 'undoing') return <Notice tone="info" title="The swap is being undone" actions={run} />
  if (swap.status === 'failed')
    return (
      <Notice tone="danger" title="The swap failed" actions={run}>
        {swap.failure}
      </Notice>
    )
  return (
    <Notice
      tone="info"
      title={isOld ? 'A copy took the place of this database' : 'This copy took the place of a database'}
      actions={
        <Button
          size="small"
          busy={undo.isPending}
          disabledReason={stale ?? deniedReason(role, 'databases.restore')}
          onClick={() =>
            undo.mutate(
              { params: { id: database.id } },
              { onError: (error) => toast('error', `The swap was not undone: ${causeOf(error)}`) },
            )
          }
        >
          Undo the swap
        </Button>
      }
    >
      {isOld ? (
        <>It is read only, and {other} answers at its address</>
      ) : (
        <>The old one is kept as {other}, read only</>
      )}
      {swap.cutAt === null ? '' : `; its connections ended at ${momentText(swap.cutAt)}`}
      {swap.undoUntil === null ? '.' : `. Undo is possible until ${sinceText(swap.undoUntil)}.`}
    </Notice>
  )
}

function SwapOffer({ database, source }: { database: Database; source: Source }) {
  const [isAsking, setAsking] = useState(false)
  const role = useRole()
  const stale = useStaleReason()
  return (
    <>
      <Notice
        tone="info"
        title={`A copy of ${source.name}${` as of ${momentText(source.at)}`}`}
        actions={
          <Button
            size="small"
            disabledReason={stale ?? deniedReason(role, 'databases.restore')}
            onClick={() => setAsking(true)}
          >
            Put it in place of {source.name}…
          </Button>
        }
      >
        It has an address and a password of its own.{' '}
        <Link href={databaseHref(source.id)} className="underline">
          Open {source.name}
        </Link>
      </Notice>
      {isAsking ? <SwapDialog copy={database} source={source} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

function SwapDialog({ copy, source, onClose }: { copy: Database; source: Source; onClose: () => void }) {
  const swap = useChange('databases.swap')
  const { data } = useSwapComparison(copy, source)
  const effects = data ? [...affectedBySwap(data), ...tablesThatDiffer(data)] : []
  const failure = swap.error ? errorText('Failed to swap the databases', swap.error) : undefined
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Put ${copy.name} in the place of this database?`}
      name={source.name}
      impactTitle="What will happen:"
      impact={[
        `Connections to ${source.name} end, and what was committed after ${momentText(source.at)} stays in the old database`,
        `${copy.name} answers at its address, with its name and password`,
        ...effects,
        `The old database stays, read only, until it is deleted; for ${backupLimits.swapUndoHours} hours the swap can be undone`,
      ]}
      action="Swap databases"
      mustTypeName
      busy={swap.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        swap.mutate({ params: { id: source.id }, body: { withDatabaseId: copy.id } }, { onSuccess: onClose })
      }
    />
  )
}
