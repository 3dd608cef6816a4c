import { useState } from 'react'
import { type ChangeBody, useChangePlan } from '../../../data/database-changes.ts'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'

/** Shows what a change would do before it is made. */
export function ChangeDialog({
  database,
  body,
  onClose,
  onStarted,
}: {
  database: Database
  body: ChangeBody
  onClose: () => void
  onStarted: () => void
}) {
  const params = { id: database.id }
  const query = useChangePlan(database.id, body)
  const create = useChange('databases.changes.create')
  const [restart, setRestart] = useState(true)
  const { data: plan } = query
  const failure = failureOf('This cannot be changed so', query)
  const mustRestart = body.plan !== undefined && plan?.needsRestart === true
  const submit = () =>
    create.mutate(
      { params, body: { ...body, restart } },
      {
        onSuccess: ({ message }) => {
          toast('success', message)
          onStarted()
        },
      },
    )
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Change ${database.name}`}
      description="What the change does. It is made as a run, with a log."
      isModalStrict
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={create.isPending}
            disabled={plan === undefined || plan.changes.length === 0 || failure !== undefined}
            disabledReason={plan?.refusal ?? undefined}
            onClick={submit}
          >
            {plan?.needsRestart && restart ? 'Change and restart' : 'Change'}
          </Button>
        </>
      }
    >
      {failure ? (
        <ErrorState {...failure} />
      ) : plan === undefined ? (
        <Skeleton className="h-24" />
      ) : (
        <div className="flex flex-col gap-4">
          {plan.changes.length === 0 ? (
            <p className="text-text-2">Nothing would change: it is like that already.</p>
          ) : (
            <ul className="divide-y divide-line rounded-control border border-line">
              {plan.changes.map(({ what, from, to, needsRestart }) => (
                <li key={what} className="px-3 py-2">
                  <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                    <span className="font-medium break-all">{what}</span>
                    <span className="text-small text-text-3">
                      {needsRestart ? 'needs a restart' : 'at once'}
                    </span>
                  </p>
                  <p className="text-text-2 break-words">
                    {from} → <span className="text-text">{to}</span>
                  </p>
                </li>
              ))}
            </ul>
          )}
          {plan.needsRestart ? (
            <Checkbox
              label="Restart the server now"
              hint={`${plan.connections === 0 ? 'No connection is open.' : `It ends ${formatCount(plan.connections, 'connection')}.`} ${mustRestart ? 'Another size needs it.' : 'Without it, such a change waits for the next restart.'}`}
              checked={restart || mustRestart}
              disabled={mustRestart}
              onChange={({ target }) => setRestart(target.checked)}
            />
          ) : null}
          <div role="alert" className={plan.refusal || create.error ? 'text-danger' : 'hidden'}>
            {plan.refusal ?? (create.error ? causeOf(create.error) : null)}
          </div>
        </div>
      )}
    </Dialog>
  )
}
