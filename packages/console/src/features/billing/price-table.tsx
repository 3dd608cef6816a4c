import { usageMeters, usageServiceTitles } from '@bey/contract'
import type { MeterPrice, PricePreview } from '../../data/billing.ts'
import { cx } from '../../ui/class-names.ts'
import { Input } from '../../ui/input.tsx'
import { changeText, quantityText, unitText } from '../../entities/billing/money.ts'
import { type DraftPrice, isTiered, isValid, keyOf, placeText, priceFor } from './price-draft.ts'

interface PriceTableProps {
  draft: readonly DraftPrice[]
  current: readonly MeterPrice[]
  version: string
  preview: PricePreview | undefined
  currency: string
  isReadOnly: boolean
  onChange: (key: string, text: string) => void
}

const cell = 'border-b border-line px-2 py-1'

/** The prices of a draft beside those that hold, with what each changes and whom it costs most. */
export function PriceTable({
  draft,
  current,
  version,
  preview,
  currency,
  isReadOnly,
  onChange,
}: PriceTableProps) {
  const before = new Map(current.map((price) => [keyOf(price), price.tiers[0]?.price]))
  const heads = [
    'Meter',
    'Service',
    'For each',
    version,
    isReadOnly ? undefined : 'New price',
    'Used this month',
    'Change a month',
    'Who feels it',
  ]
  return (
    // A box that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label="Prices" tabIndex={0} className="overflow-x-auto px-(--gutter)">
      <table className="w-full min-w-200 border-t border-line tabular-nums">
        <thead>
          <tr className="text-small text-text-2">
            {heads.map((head, index) =>
              head === undefined ? null : (
                <th
                  key={head}
                  scope="col"
                  className={cx(cell, 'font-normal', index > 2 && index < 7 ? 'text-right' : 'text-left')}
                >
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {draft.map((each) => {
            const { price, text } = each
            const key = keyOf(price)
            const rule = usageMeters[price.meter]
            const name = [rule.title, placeText(price)].filter(Boolean).join(', ')
            const row = sumOf(preview?.meters.filter((meter) => priceFor(draft, meter) === each) ?? [])
            const old = before.get(key)
            const isChanged = old === undefined || Number(old) !== Number(text)
            return (
              <tr key={key}>
                <th scope="row" className={cx(cell, 'text-left font-medium')} title={rule.meaning}>
                  {name}
                </th>
                <td className={cx(cell, 'text-text-2')}>{usageServiceTitles[rule.service]}</td>
                <td className={cx(cell, 'whitespace-nowrap text-text-2')}>
                  {price.per === 1 ? rule.unit : `${price.per.toLocaleString('en')} ${unitText(rule.unit)}`}
                </td>
                <td className={cx(cell, 'text-right text-text-2')}>
                  {isTiered(price) ? `${price.tiers.length} tiers` : (old ?? '—')}
                </td>
                {isReadOnly ? null : (
                  <td className={cx(cell, 'w-36')}>
                    {isTiered(price) ? (
                      <span className="block text-right text-text-2">
                        {price.tiers.map((tier) => tier.price).join(' / ')}
                      </span>
                    ) : (
                      <Input
                        aria-label={`New price of ${name}, ${currency}`}
                        aria-invalid={isValid(each) ? undefined : true}
                        controlSize="small"
                        inputMode="decimal"
                        className={cx('text-right tabular-nums', isChanged && 'border-accent')}
                        value={text}
                        maxLength={25}
                        onChange={(event) => onChange(key, event.target.value.trim())}
                      />
                    )}
                  </td>
                )}
                <td className={cx(cell, 'text-right whitespace-nowrap text-text-2')}>
                  {row ? `${quantityText(row.quantity)} ${unitText(row.unit)}` : '—'}
                </td>
                <td
                  className={cx(
                    cell,
                    'text-right',
                    row?.change && Number(row.change) !== 0 ? 'font-medium' : 'text-text-3',
                  )}
                >
                  {row?.change == null
                    ? '—'
                    : Number(row.change) === 0
                      ? '0'
                      : changeText(row.change, currency)}
                </td>
                <td className={cx(cell, 'text-text-2')}>
                  {row?.felt.map((who) => `${who.name} ${changeText(who.change, currency)}`).join(', ')}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** Of all usage that takes a price: the quantity, the change, and who feels most of it. For a preview, not for the books. */
function sumOf(meters: PricePreview['meters']) {
  const [first] = meters
  if (first === undefined) return undefined
  const total = (values: readonly (string | null)[]) =>
    values.reduce((sum, value) => sum + Number(value ?? 0), 0)
  const isKnown = meters.every(({ change }) => change !== null)
  return {
    unit: first.unit,
    quantity: String(total(meters.map(({ quantity }) => quantity))),
    change: isKnown ? total(meters.map(({ change }) => change)).toFixed(6) : null,
    felt: meters
      .flatMap(({ felt }) => felt)
      .toSorted((a, b) => Math.abs(Number(b.change)) - Math.abs(Number(a.change)))
      .slice(0, 3),
  }
}
