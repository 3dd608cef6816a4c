import type { MetricUsual } from '@bey/contract'
import { usualRules } from '@bey/contract'
import { metricFormat } from '../../entities/metrics/metric-format.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { UsualStrip } from './usual-strip.tsx'
import { usualText } from './usual-text.ts'
import type { UsualControl } from './use-usual.ts'

/** Whether the newest value of a series is usual at this hour of the week, and what that is decided by. */
export function UsualPanel({ usual, isSeveral }: { usual: UsualControl; isSeveral: boolean }) {
  const { data, measure, setMeasure, isLong } = usual
  const failure = failureOf('Failed to compare with the weeks before', usual.list)
  if (isLong) {
    return (
      <Section title="Usual at this hour">
        <p className="text-small text-text-2">
          Ranges of up to {usualRules.maxRangeSeconds / 86_400} days are compared with the weeks before.
        </p>
      </Section>
    )
  }
  if (usual.index === -1) {
    return (
      <Section title="Usual at this hour">
        <p className="text-small text-text-2">
          {isSeveral
            ? 'Choose a series in the table below to compare it with the weeks before.'
            : 'The series has no value in this range.'}
        </p>
      </Section>
    )
  }
  const isUnusual = data?.newest?.isUnusual === true
  return (
    <Section title={isUnusual ? 'Why this is unusual' : 'Usual at this hour'}>
      {failure ? (
        <ErrorState {...failure} isCompact />
      ) : data === undefined ? null : (
        <Comparison data={data} weeks={measure.weeks} />
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Select
          aria-label="Weeks compared with"
          controlSize="small"
          value={String(measure.weeks)}
          options={usualRules.weeks.map((value) => ({ value: String(value), label: `${value} weeks` }))}
          onChange={(event) => setMeasure({ ...measure, weeks: Number(event.target.value) })}
        />
        <Select
          aria-label="Width of the band"
          controlSize="small"
          value={String(measure.deviations)}
          options={usualRules.deviations.map((value) => ({
            value: String(value),
            label: `${value} deviations`,
          }))}
          onChange={(event) => setMeasure({ ...measure, deviations: Number(event.target.value) })}
        />
      </div>
      <p className="mt-3 text-small text-text-3">
        The band is the median of the same hour and the ones beside it, {measure.deviations} median deviations
        to either side. A single bad week hardly moves a median, and this week is not among them.
      </p>
    </Section>
  )
}

function Comparison({ data, weeks }: { data: MetricUsual; weeks: number }) {
  const format = metricFormat(data.unit)
  return (
    <>
      <p className="text-text-2">{usualText(data, format, weeks)}</p>
      {data.newest ? <UsualStrip newest={data.newest} format={format} /> : null}
    </>
  )
}
