import type { PriceList, PricePreview } from '../../data/billing.ts'
import { cx } from '../../ui/class-names.ts'
import { Section } from '../../ui/section.tsx'
import { dateText } from '../../ui/time-text.ts'
import { moneyText, monthText } from '../../entities/billing/money.ts'

/** What the month would cost under each version and under the draft. */
export function UnderVersions({
  preview,
  isChanged,
  next,
}: {
  preview: PricePreview
  isChanged: boolean
  next: number
}) {
  const { versions, month, isForecast } = preview
  const shown = versions.filter(({ version }) => version !== null || isChanged)
  const most = Math.max(1e-9, ...shown.map(({ amount }) => Number(amount)))
  return (
    <Section
      title={`${monthText(month)} under each version`}
      aside={isForecast ? 'forecast, estimated' : 'so far, estimated'}
    >
      <ul className="border-t border-line">
        {shown.map(({ version, isExample, amount, currency }) => (
          <li
            key={version ?? 'draft'}
            className="flex items-center gap-3 border-b border-line py-2 tabular-nums"
          >
            <span className={cx('w-36 shrink-0', version === null ? 'font-medium' : 'text-text-2')}>
              {version === null
                ? `Version ${next}, this draft`
                : isExample
                  ? 'Example'
                  : `Version ${version}`}
            </span>
            <span aria-hidden className="h-3 min-w-0 flex-1">
              <span
                className={cx('block h-3 rounded-[2px]', version === null ? 'bg-chart-1' : 'bg-control')}
                style={{ width: `${(Number(amount) / most) * 100}%` }}
              />
            </span>
            <span className="w-24 shrink-0 text-right">{moneyText(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** All versions, each with who saved it and why. */
export function Versions({ list }: { list: PriceList }) {
  return (
    <Section title="Versions" aside="each statement names its own">
      <ul className="border-t border-line">
        {list.versions.map(({ version, holdsFrom, isExample, holdsNow, note, createdBy }) => (
          <li key={version} className="flex gap-3 border-b border-line py-2">
            <span className="w-6 shrink-0 font-medium tabular-nums">{isExample ? '' : version}</span>
            <span className="w-28 shrink-0 text-text-2">
              {holdsFrom === null ? 'Example' : dateText(new Date(holdsFrom))}
            </span>
            <span className="min-w-0 flex-1 wrap-anywhere">
              {isExample
                ? 'Holds until prices are saved'
                : [createdBy?.name, note].filter(Boolean).join(': ')}
              {holdsNow ? <span className="text-text-2"> · holds now</span> : null}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
