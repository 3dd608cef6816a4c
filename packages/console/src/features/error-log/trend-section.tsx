import type { ErrorGroup } from '@bey/contract'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { absoluteTime } from '../../ui/time-text.ts'
import { trendLabel, trendTimes } from './error-text.ts'
import type { ErrorLocation } from './use-error-location.ts'

export interface TrendSectionProps {
  group: ErrorGroup
  releases: readonly { release: string; occurrenceCount: number }[]
  errorLocation: ErrorLocation
}

/** How often an error happened over time and by release. */
export function TrendSection({ group, releases, errorLocation }: TrendSectionProps) {
  const { trend } = group
  const [now] = useState(() => Date.now())
  return (
    <div className="grid gap-8 lg:grid-cols-[2fr_1fr]">
      <Section
        title="Trend"
        aside={
          <Select
            aria-label="Trend of"
            controlSize="small"
            value={errorLocation.period}
            onChange={({ target }) =>
              errorLocation.change({ period: target.value === '14d' ? '14d' : '24h' })
            }
            options={[
              { value: '24h', label: '24 hours' },
              { value: '14d', label: '14 days' },
            ]}
          />
        }
      >
        <Sparkline
          values={trend}
          label={trendLabel(trend, errorLocation.period)}
          width={720}
          height={64}
          className="w-full"
        />
        <p className="mt-1 text-small text-text-2 tabular-nums">{trendLabel(trend, errorLocation.period)}</p>
        <details className="mt-1 text-small">
          <summary className="text-text-2">As a table</summary>
          <div className="max-h-60 overflow-y-auto">
            <table className="mt-1 tabular-nums">
              <thead className="text-left text-text-2">
                <tr>
                  <th className="pr-6 font-medium">From</th>
                  <th className="text-right font-medium">Events</th>
                </tr>
              </thead>
              <tbody>
                {trendTimes(trend.length, errorLocation.period, now).map((at, index) => (
                  <tr key={at.getTime()}>
                    <td className="pr-6">{absoluteTime(at)}</td>
                    <td className="text-right">{formatNumber(trend[index])}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      </Section>
      <Section title="Releases">
        <ul className="divide-y divide-line">
          {releases.map(({ release, occurrenceCount }) => (
            <li key={release} className="flex items-baseline justify-between gap-4 py-1.5">
              <code className="min-w-0 truncate font-mono text-small">{release}</code>
              <span className="text-text-2 tabular-nums">{formatNumber(occurrenceCount)}</span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
