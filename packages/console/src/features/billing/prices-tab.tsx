import { pricedMeters, usageMeters } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { type MeterPrice, type PriceList, type Spend, usePricePreview } from '../../data/billing.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import type { Failure } from '../../lib/failed-query.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { monthText } from '../../entities/billing/money.ts'
import { changedCount, type DraftPrice, draftOf, keyOf, placeText, pricesOf } from './price-draft.ts'
import { PriceTable } from './price-table.tsx'
import { UnderVersions, Versions } from './price-versions.tsx'

interface PricesTabProps {
  list: PriceList | undefined
  failure: Failure | undefined
  spend: Spend | undefined
}

/** The price list with a draft of its next version, and what the month would cost under it. */
export function PricesTab({ list, failure, spend }: PricesTabProps) {
  if (failure) return <ErrorState {...failure} />
  if (list === undefined) return <Skeleton className="mx-(--gutter) my-6 h-48" />
  // A version that was saved meanwhile begins a new draft.
  return <Prices key={list.versions[0]?.version} list={list} spend={spend} />
}

function Prices({ list, spend }: { list: PriceList; spend: Spend | undefined }) {
  const id = useId()
  const stale = useStaleReason()
  const current = list.versions.find(({ holdsNow }) => holdsNow) ?? list.versions[0]
  // The newest version is edited, also where it holds from a later hour.
  const newest = list.versions[0] ?? current
  const [draft, setDraft] = useState<DraftPrice[]>(() => draftOf(newest?.prices ?? []))
  const [currency, setCurrency] = useState(newest?.currency ?? 'EUR')
  const [from, setFrom] = useState<'hour' | 'month'>('hour')
  const create = useChange('prices.create')
  const prices = pricesOf(draft)
  const changed = changedCount(draft, newest?.prices ?? []) + (currency === newest?.currency ? 0 : 1)
  const denied = list.deniedText ?? undefined
  const isAll = spend?.scope === 'all'
  const body = prices && /^[A-Z]{3}$/.test(currency) ? { currency, prices } : undefined
  const preview = usePricePreview(isAll ? body : undefined).data
  useUnsaved(changed > 0 && !create.isSuccess ? 'the prices that you changed' : undefined)
  const next = (newest?.version ?? 0) + 1
  const save = () => {
    if (body === undefined) return
    const holdsFrom = from === 'month' && spend ? { holdsFrom: spend.month.to } : {}
    create.mutate(
      { body: { ...body, ...holdsFrom } },
      { onSuccess: ({ version }) => toast('success', `Version ${version} of the prices was saved.`) },
    )
  }
  return (
    <div className="flex flex-col gap-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-(--gutter)">
        <label htmlFor={`${id}-currency`} className="flex items-center gap-2 text-text-2">
          Currency
          <span className="w-16">
            <Input
              id={`${id}-currency`}
              controlSize="small"
              value={currency}
              maxLength={3}
              readOnly={denied !== undefined}
              onChange={(event) => setCurrency(event.target.value.toUpperCase())}
            />
          </span>
        </label>
        {denied === undefined ? (
          <label htmlFor={`${id}-from`} className="flex items-center gap-2 text-text-2">
            Holds from
            <Select
              id={`${id}-from`}
              controlSize="small"
              value={from}
              options={[
                { value: 'hour', label: 'the next full hour' },
                ...(spend?.month.isCurrent
                  ? [{ value: 'month', label: `the end of ${monthText(spend.month.month)}` }]
                  : []),
              ]}
              onChange={(event) => setFrom(event.target.value === 'month' ? 'month' : 'hour')}
            />
          </label>
        ) : null}
        <span className="text-small text-text-2">
          {list.timeZone}. In the middle of a month each hour takes the price that held then.
        </span>
        <span className="flex flex-wrap gap-2 sm:ml-auto">
          {denied === undefined ? (
            <AddPrice list={list} draft={draft} onAdd={(price) => setDraft([...draft, price])} />
          ) : null}
          {changed === 0 ? null : (
            <Button
              variant="ghost"
              onClick={() => {
                setDraft(draftOf(newest?.prices ?? []))
                setCurrency(newest?.currency ?? 'EUR')
              }}
            >
              Discard
            </Button>
          )}
          <Button
            variant="primary"
            busy={create.isPending}
            disabledReason={
              denied ??
              stale ??
              (changed === 0
                ? 'Nothing is changed.'
                : body === undefined
                  ? 'A price is not a number, or the currency has no three letters.'
                  : undefined)
            }
            onClick={save}
          >
            Save version {next}
          </Button>
        </span>
      </div>
      {denied === undefined ? null : (
        <div className="px-(--gutter)">
          <Notice tone="info" title={denied} />
        </div>
      )}
      {create.error ? (
        <div className="px-(--gutter)">
          <Notice tone="danger" title="The prices were not saved">
            {causeOf(create.error)}
          </Notice>
        </div>
      ) : null}
      {preview && changed > 0 ? (
        <output className="block px-(--gutter) font-medium">
          {preview.text}{' '}
          <span className="font-normal text-text-2">What is used already keeps its price.</span>
        </output>
      ) : null}
      <PriceTable
        {...{ draft, preview, currency }}
        current={newest?.prices ?? []}
        version={newest?.isExample ? 'Example' : `Version ${newest?.version ?? 0}`}
        isReadOnly={denied !== undefined}
        onChange={(key, text) =>
          setDraft(draft.map((each) => (keyOf(each.price) === key ? { ...each, text } : each)))
        }
      />
      <div className="grid gap-8 px-(--gutter) pb-4 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
        {preview ? <UnderVersions preview={preview} isChanged={changed > 0} next={next} /> : <span />}
        <Versions list={list} />
      </div>
    </div>
  )
}

/** Adds a price for one kind of node that was metered. */
function AddPrice({
  list,
  draft,
  onAdd,
}: {
  list: PriceList
  draft: readonly DraftPrice[]
  onAdd: (price: DraftPrice) => void
}) {
  const known = new Set(draft.map(({ price }) => keyOf(price)))
  const base = draft.find(({ price }) => price.meter === 'node_hours')
  const places = list.nodeTypes
    .filter(({ nodeType }) => nodeType !== null)
    .map((place): MeterPrice => ({
      ...place,
      meter: 'node_hours',
      per: 1,
      tiers: [{ upTo: null, price: base?.text ?? '0' }],
    }))
  const missing = pricedMeters
    .filter((meter) => !draft.some(({ price }) => price.meter === meter))
    .map((meter): MeterPrice => ({
      meter,
      provider: null,
      region: null,
      nodeType: null,
      per: 1,
      tiers: [{ upTo: null, price: '0' }],
    }))
  const choices = [...places, ...missing].filter((price) => !known.has(keyOf(price)))
  if (choices.length === 0) return null
  return (
    <span className="flex items-center gap-1.5">
      <Plus size={14} aria-hidden className="text-text-3" />
      <Select
        aria-label="Add meter price"
        className="max-w-56"
        controlSize="small"
        value=""
        options={[
          { value: '', label: 'Add meter price' },
          ...choices.map((price) => ({
            value: keyOf(price),
            label: `${usageMeters[price.meter].title} ${placeText(price)}`.trim(),
          })),
        ]}
        onChange={(event) => {
          const price = choices.find((each) => keyOf(each) === event.target.value)
          if (price) onAdd({ price, text: price.tiers[0]?.price ?? '0' })
        }}
      />
    </span>
  )
}
