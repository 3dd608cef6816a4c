import type { DatabaseBackup, DatabaseRecoverableWindow, DatabaseRestore, DrillProof } from '@bey/contract'
import { TimeAxis } from '../../../ui/chart/time-axis.tsx'
import { cx } from '../../../ui/class-names.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { nearestMoment } from './window-text.ts'
import { MomentSlider } from './moment-slider.tsx'

export interface WindowRulerProps {
  window: DatabaseRecoverableWindow
  backups: readonly DatabaseBackup[]
  restores: readonly DatabaseRestore[]
  range: { fromMs: number; toMs: number }
  /** The chosen moment, in ms since 1970; undefined while none can be restored. */
  atMs: number | undefined
  onChoose: (atMs: number) => void
}

/** What can be restored over time, with gaps, backups and drills; a click or the arrow keys choose a moment of it. */
export function WindowRuler({ window, backups, restores, range, atMs, onChoose }: WindowRulerProps) {
  const [box, width] = useWidth()
  const { fromMs, toMs } = range
  const xOf = (ms: number) => ((ms - fromMs) / (toMs - fromMs)) * width
  const choose = (ms: number) => {
    const nearest = nearestMoment(window, ms)
    if (nearest !== undefined) onChoose(nearest)
  }
  const isShown = (ms: number) => ms >= fromMs && ms <= toMs
  const bars = (ranges: readonly { from: string; to: string }[]) =>
    ranges.flatMap(({ from, to }) => {
      const begin = Math.max(Date.parse(from), fromMs)
      const end = Math.min(Date.parse(to), toMs)
      return end < begin ? [] : [{ x: xOf(begin), width: Math.max(2, xOf(end) - xOf(begin)) }]
    })
  const proofs = new Set(restores.map(({ proof }) => proof))
  return (
    <div ref={box} className="min-w-0">
      <div className="relative h-20 rounded-badge has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring">
        <svg width={width} height={80} aria-hidden className="block overflow-visible">
          <rect y={8} width={width} height={28} rx={3} className="fill-sunken" />
          {bars(window.ranges).map((bar) => (
            <rect key={bar.x} y={8} height={28} {...bar} className="fill-chart-1 opacity-40" />
          ))}
          {bars(window.gaps).map(({ x, width: size }) => (
            <rect key={x} x={x} y={8} width={Math.max(3, size)} height={28} className="fill-danger" />
          ))}
          {backups.map(({ id, consistentAt }) => {
            const ms = consistentAt === null ? Number.NaN : Date.parse(consistentAt)
            return isShown(ms) ? (
              <rect key={id} x={xOf(ms) - 1} y={44} width={3} height={10} className="fill-text-3" />
            ) : null
          })}
          {restores.map(({ id, proof, finishedAt }) => {
            const ms = finishedAt === null ? Number.NaN : Date.parse(finishedAt)
            return proof === null || !isShown(ms) ? null : (
              <rect key={id} x={xOf(ms) - 1} width={3} {...drillLooks[proof]} />
            )
          })}
        </svg>
        {atMs !== undefined && isShown(atMs) ? (
          <span
            aria-hidden
            className="absolute top-0 h-20 w-px -translate-x-1/2 bg-accent after:absolute after:-bottom-1 after:-left-1.5 after:size-[13px] after:rounded-full after:bg-accent"
            style={{ left: xOf(atMs) }}
          />
        ) : null}
        <MomentSlider
          fromMs={fromMs}
          toMs={toMs}
          atMs={atMs}
          onChoose={choose}
          className="inset-0 h-20 w-full"
        />
      </div>
      {width > 0 ? <TimeAxis range={range} width={width} /> : null}
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-small text-text-3">
        <Key className="h-2.5 bg-chart-1 opacity-40">can be restored</Key>
        {window.gaps.length > 0 ? <Key className="h-2.5 bg-danger">gap</Key> : null}
        <Key className="h-2.5 bg-text-3">backup</Key>
        {proofs.has('passed') ? <Key className="h-2.5 bg-ok">drill passed</Key> : null}
        {proofs.has('failed') ? <Key className="h-3.5 bg-danger">drill failed</Key> : null}
        {proofs.has('could_not_run') ? (
          <Key className="h-2.5 border border-dashed border-text-3">drill could not run</Key>
        ) : null}
      </p>
    </div>
  )
}

/** What a mark of the ruler means. */
function Key({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={cx('w-[3px] shrink-0', className)} />
      {children}
    </span>
  )
}

/** Height and outline are the second cue beside the colour. */
const drillLooks: Readonly<Record<DrillProof, { y: number; height: number; className: string }>> = {
  passed: { y: 62, height: 9, className: 'fill-ok' },
  failed: { y: 59, height: 14, className: 'fill-danger' },
  could_not_run: { y: 62, height: 9, className: 'fill-none stroke-text-3 [stroke-dasharray:2_1]' },
}
