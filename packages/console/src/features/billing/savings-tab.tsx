import { billingBounds } from '@bey/contract/billing/usage-meters'
import { useNavigate } from '@tanstack/react-router'
import type { SavingList } from '../../data/billing.ts'
import type { Failure } from '../../lib/failed-query.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { dayText, momentText } from '../../ui/time-text.ts'
import { billingHref } from './billing-search.ts'
import { estimateText } from '../../entities/billing/money.ts'
import { AppliedSavings } from './applied-savings.tsx'
import { SavingDialog } from './saving-dialog.tsx'
import { SavingAmount } from './saving-amount.tsx'

type Saving = SavingList['savings'][number]

interface SavingsTabProps {
  list: SavingList | undefined
  failure: Failure | undefined
  /** Of the saving whose change is open. */
  openId: string | undefined
}

/** Savings with their evidence and the change that realises each, and what could not be judged. */
export function SavingsTab({ list, failure, openId }: SavingsTabProps) {
  const navigate = useNavigate()
  if (failure) return <ErrorState {...failure} />
  if (list === undefined) return <Skeleton className="mx-(--gutter) my-6 h-24" />
  const { savings, currency, total, notJudged, scopeText, asOf } = list
  const open = savings.find(({ id }) => id === openId)
  const isGone = openId !== undefined && open === undefined
  return (
    <>
      {isGone ? (
        <div className="px-(--gutter) pt-4">
          <Notice tone="info" title="This saving is no longer found in the measurements." />
        </div>
      ) : null}
      {savings.length === 0 ? (
        <EmptyState
          title={notJudged.length === 0 ? 'No saving found' : 'No saving found yet'}
          description={`Savings are nodes that a cluster does not need, workloads that request too much and idle databases, found from the measurements of the last ${billingBounds.savingsDays} days.${scopeText === null ? '' : ` ${scopeText}`}`}
        />
      ) : (
        <div className="px-(--gutter) py-4">
          <p className="pb-3 text-text-2">
            <strong className="font-semibold text-text tabular-nums">{estimateText(total, currency)}</strong>{' '}
            a month could be saved, estimated at the prices of today. What only frees room on nodes is not in
            the sum.{scopeText === null ? '' : ` ${scopeText}`}
          </p>
          <ul aria-label="Savings" className="border-t border-line">
            {savings.map((saving) => (
              <SavingRow key={saving.id} saving={saving} currency={currency} />
            ))}
          </ul>
          <p className="mt-2 text-small text-text-2">As of {momentText(asOf)}</p>
        </div>
      )}
      <AppliedSavings list={list.applied} />
      {notJudged.length === 0 ? null : (
        <div className="px-(--gutter) pb-6">
          <Section title="Not judged">
            <ul className="border-t border-line">
              {notJudged.map((text) => (
                <li key={text} className="border-b border-line py-2 text-text-2 wrap-anywhere">
                  {text}
                </li>
              ))}
            </ul>
          </Section>
        </div>
      )}
      {open ? (
        <SavingDialog
          key={open.id}
          saving={open}
          currency={currency}
          onClose={() => void navigate({ href: billingHref({ tab: 'savings' }) })}
        />
      ) : null}
    </>
  )
}

function SavingRow({ saving, currency }: { saving: Saving; currency: string }) {
  const { id, title, detail, evidence, measured, amount, isDirect } = saving
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-80">
        <p className="wrap-anywhere">
          <strong className="font-semibold">{title}</strong> <span className="text-text-2">{detail}</span>
        </p>
        <dl className="mt-1 flex flex-wrap gap-x-5 gap-y-0.5 text-small tabular-nums">
          {evidence.map(({ name, value }) => (
            <div key={name} className="flex gap-1.5">
              <dt className="text-text-2">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-1 text-small text-text-2">{measuredText(measured)}</p>
      </div>
      <div className="flex items-start gap-3">
        <SavingAmount amount={amount} currency={currency} isDirect={isDirect} />
        <ButtonLink
          size="small"
          aria-label={`Show the change: ${title}`}
          href={billingHref({ tab: 'savings', saving: id })}
        >
          Show
        </ButtonLink>
      </div>
    </li>
  )
}

/** `Rests on 8 days of measurements, 10 Nov to 18 Nov` */
function measuredText({ from, to, days }: Saving['measured']): string {
  const whole = Math.floor(days)
  return `Rests on ${whole} ${whole === 1 ? 'day' : 'days'} of measurements, ${dayText(new Date(from))} to ${dayText(new Date(to))}`
}
