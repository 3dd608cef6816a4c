import type { CallOutput } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Budget } from '../../data/billing.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import type { Failure } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { toast } from '../../ui/toast.ts'
import { BudgetDialog } from './budget-dialog.tsx'
import { moneyText } from '../../entities/billing/money.ts'

type BudgetList = CallOutput<'budgets.list'>

interface BudgetsTabProps {
  list: BudgetList | undefined
  failure: Failure | undefined
}

/** The budgets with how each stands and what follows; owners change them. */
export function BudgetsTab({ list, failure }: BudgetsTabProps) {
  const stale = useStaleReason()
  const [asked, setAsked] = useState<
    { act: 'edit' | 'delete' | 'lift'; budget: Budget } | { act: 'create' }
  >()
  if (failure) return <ErrorState {...failure} />
  if (list === undefined) return <Skeleton className="mx-(--gutter) my-6 h-24" />
  const denied = stale ?? list.deniedText ?? undefined
  const create = (
    <Button
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      disabledReason={denied}
      onClick={() => setAsked({ act: 'create' })}
    >
      Set a budget
    </Button>
  )
  const close = () => setAsked(undefined)
  return (
    <>
      {list.budgets.length === 0 ? (
        <EmptyState
          title="No budget is set"
          description="A budget notifies owners at 50, 80 and 100 % of an amount a month. It can also let new runs wait; it never stops clusters, databases or running runs."
          action={create}
        />
      ) : (
        <div className="px-(--gutter) py-4">
          <div className="flex justify-end pb-3">{create}</div>
          <ul className="border-t border-line">
            {list.budgets.map((budget) => (
              <li
                key={budget.id}
                className="flex flex-wrap items-start gap-x-6 gap-y-3 border-b border-line py-4"
              >
                <BudgetFacts budget={budget} />
                <div className="flex flex-wrap gap-2">
                  {budget.pausesAt === null ? null : (
                    <Button disabledReason={denied} onClick={() => setAsked({ act: 'lift', budget })}>
                      Lift the pause…
                    </Button>
                  )}
                  <Button disabledReason={denied} onClick={() => setAsked({ act: 'edit', budget })}>
                    Edit
                  </Button>
                  <Button
                    variant="ghost"
                    disabledReason={denied}
                    onClick={() => setAsked({ act: 'delete', budget })}
                  >
                    Delete…
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </div>
      )}
      {asked?.act === 'create' ? <BudgetDialog currency={list.currency} onClose={close} /> : null}
      {asked?.act === 'edit' ? (
        <BudgetDialog budget={asked.budget} currency={list.currency} onClose={close} />
      ) : null}
      {asked?.act === 'lift' ? <LiftDialog budget={asked.budget} onClose={close} /> : null}
      {asked?.act === 'delete' ? <DeleteDialog budget={asked.budget} onClose={close} /> : null}
    </>
  )
}

function BudgetFacts({ budget }: { budget: Budget }) {
  const { name, state, scopeText, amount, currency, spent, percent, text } = budget
  const share = Math.min(100, percent ?? 0)
  return (
    <div className="min-w-0 flex-1 basis-80">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong className="font-semibold wrap-anywhere">{name}</strong>
        {state === 'ok' ? null : <Status status={state} variant="badge" />}
        <span className="text-text-2 wrap-anywhere">{scopeText}</span>
      </p>
      <p className="mt-1 tabular-nums">
        {moneyText(spent, currency)} of {moneyText(amount, currency)} this month
        {percent === null ? '' : `, ${Math.floor(percent)} %`}
      </p>
      <div className="relative mt-1.5 h-2 max-w-xl rounded-[2px] bg-active" aria-hidden>
        <div
          className={`h-2 rounded-[2px] ${state === 'ok' ? 'bg-chart-1' : state === 'warning' ? 'bg-warn' : 'bg-danger'}`}
          style={{ width: `${share}%` }}
        />
        {[50, 80].map((at) => (
          <span key={at} className="absolute inset-y-0 w-px bg-bg" style={{ left: `${at}%` }} />
        ))}
      </div>
      <p className="mt-1.5 max-w-2xl text-text-2">{text}</p>
    </div>
  )
}

function LiftDialog({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const lift = useChange('budgets.lift')
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Are you sure you want to lift the pause?"
      name={budget.name}
      impactTitle="This follows:"
      impact={['New runs start for the rest of the month', 'Schedules and requests that waited start theirs']}
      action="Lift the pause"
      isDestructive={false}
      busy={lift.isPending}
      error={lift.error && causeOf(lift.error)}
      onConfirm={() =>
        lift.mutate(
          { params: { id: budget.id } },
          {
            onSuccess: () => {
              toast('success', 'New runs start again.')
              onClose()
            },
          },
        )
      }
    />
  )
}

function DeleteDialog({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const remove = useChange('budgets.delete')
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Are you sure you want to delete this budget?"
      name={budget.name}
      impact={[
        'Its thresholds: nobody is notified any more',
        ...(budget.state === 'enforced' ? ['Its pause: new runs start again'] : []),
      ]}
      action="Delete budget"
      busy={remove.isPending}
      error={remove.error && causeOf(remove.error)}
      onConfirm={() => remove.mutate({ params: { id: budget.id } }, { onSuccess: onClose })}
    />
  )
}
