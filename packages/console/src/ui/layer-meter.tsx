import { cx } from './class-names.ts'
import { DelayedSkeleton, Skeleton } from './skeleton.tsx'

export interface LayerMeterProps {
  label: string
  /** Null where it is not measured. */
  used: number | null
  requested: number
  allocatable: number
  /** Makes figures readable: `formatBytes`, `formatCpu`. */
  format: (value: number) => string
}

/** Used on requested on allocatable, as words and as a bar. */
export function LayerMeter({ label, used, requested, allocatable, format }: LayerMeterProps) {
  const text = layerText({ used, requested, allocatable, format })
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span>{label}</span>
        <span className="text-right text-small text-text-2 tabular-nums">{text}</span>
      </div>
      <LayerBar used={used} requested={requested} allocatable={allocatable} label={label} text={text} />
    </div>
  )
}

/** In the row of a table: the bar, and beside it used of allocatable; what is requested stands in the tooltip. */
export function LayerCell({ label, used, requested, allocatable, format }: LayerMeterProps) {
  const text = layerText({ used, requested, allocatable, format })
  return (
    <span className="flex min-w-0 items-center gap-2" data-tooltip={text}>
      <span className="w-16 shrink-0">
        <LayerBar used={used} requested={requested} allocatable={allocatable} label={label} text={text} />
      </span>
      <span className="min-w-0 truncate tabular-nums">
        {used === null
          ? `${ofText(requested, allocatable, format)} requested`
          : ofText(used, allocatable, format)}
      </span>
    </span>
  )
}

/** The bar alone. */
function LayerBar({
  used,
  requested,
  allocatable,
  label,
  text,
}: Pick<LayerMeterProps, 'used' | 'requested' | 'allocatable' | 'label'> & { text: string }) {
  const width = (value: number | null) =>
    `${allocatable > 0 ? Math.min(100, ((value ?? 0) / allocatable) * 100) : 0}%`
  return (
    <div
      // The native element cannot be styled alike in all browsers, nor has it two values.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={allocatable}
      aria-valuenow={Math.min(used ?? requested, allocatable)}
      aria-valuetext={text}
      className="relative h-1.5 overflow-hidden rounded-full bg-active"
    >
      <span className="absolute inset-y-0 left-0 bg-chart-1 opacity-40" style={{ width: width(requested) }} />
      <span className="absolute inset-y-0 left-0 bg-chart-1" style={{ width: width(used) }} />
    </div>
  )
}

/** "4.2 requested · 1.8 of 16 cores"; without a measurement "4.2 cores requested of 16 cores". */
export function layerText({
  used,
  requested,
  allocatable,
  format,
}: Pick<LayerMeterProps, 'used' | 'requested' | 'allocatable' | 'format'>): string {
  if (allocatable === 0) return 'none available'
  if (used === null) return `${format(requested)} requested of ${format(allocatable)}`
  const total = format(allocatable)
  const usedText = ofText(used, allocatable, format)
  return used === requested ? usedText : `${withoutUnit(format(requested), total)} requested · ${usedText}`
}

/** "168 of 256 MiB", "155 of 250m": the unit is said once where it is the same. */
export function ofText(part: number, whole: number, format: (value: number) => string): string {
  const total = format(whole)
  return `${withoutUnit(format(part), total)} of ${total}`
}

function withoutUnit(text: string, total: string): string {
  const [unit = ''] = /[^\d.,]+$/.exec(total) ?? []
  return unit !== '' && text.endsWith(unit) ? text.slice(0, -unit.length) : text
}

/** What the three layers mean. */
export function LayerLegend() {
  return (
    <span className="flex items-center gap-3">
      {(['used', 'requested', 'allocatable'] as const).map((layer) => (
        <span key={layer} className="inline-flex items-center gap-1.5">
          <span
            aria-hidden
            data-track={layer === 'allocatable' ? '' : undefined}
            className={cx(
              'h-1.5 w-2.5 rounded-full',
              layer === 'allocatable' ? 'bg-active' : 'bg-chart-1',
              layer === 'requested' && 'opacity-40',
            )}
          />
          {layer}
        </span>
      ))}
    </span>
  )
}

/** The room of meters that are not known yet. */
export function LayerMeterSkeletons({ count }: { count: number }) {
  return (
    <DelayedSkeleton>
      <span className="flex flex-col gap-4">
        {Array.from({ length: count }, (_, index) => (
          <span key={index} className="block h-8">
            <Skeleton className="my-1 h-3 w-24" />
            <Skeleton className="mt-2.5 h-1.5 w-full" />
          </span>
        ))}
      </span>
    </DelayedSkeleton>
  )
}
