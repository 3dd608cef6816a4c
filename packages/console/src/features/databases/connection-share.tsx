import type { DatabaseFigures } from '@bey/contract'
import { formatNumber } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'

/** "14 of 100" with a bar beside it, for a row. */
export function ConnectionShare({
  figures,
}: {
  figures: Pick<DatabaseFigures, 'connections' | 'maxConnections'>
}) {
  const { connections, maxConnections } = figures
  const share = Math.min(1, connections / Math.max(1, maxConnections))
  const isTight = share >= 0.8
  return (
    <span className="inline-flex items-center justify-end gap-2" data-live-color="">
      <span aria-hidden className="h-1.5 w-6 overflow-hidden rounded-full bg-active">
        <span
          className={cx('block h-full rounded-full', isTight ? 'bg-warn' : 'bg-text-2')}
          style={{ width: `${Math.max(share * 100, connections > 0 ? 8 : 0)}%` }}
        />
      </span>
      <span className={cx(isTight && 'text-warn')}>
        {formatNumber(connections)} <span className="text-text-3">of {formatNumber(maxConnections)}</span>
      </span>
    </span>
  )
}
