import type { ObjectRow, VolumeUsage } from '@bey/contract'
import { fullShare, nearlyFullShare, sharePercent, volumeShare } from '@bey/contract'
import { formatBytes } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import type { Column } from '../../../ui/table.tsx'

/** What is used inside a volume, in lists of claims and volumes. */
export const usageColumn: Column<ObjectRow> = {
  key: 'usage',
  header: 'Used',
  sortKey: 'usage',
  width: '10.5rem',
  isVital: true,
  cell: ({ usage }) => (usage === null ? null : <VolumeUsageCell usage={usage} />),
}

function VolumeUsageCell({ usage: { measured, unknownReason } }: { usage: VolumeUsage }) {
  if (measured === null) {
    return (
      <span className="text-text-3" data-tooltip={unknownReason}>
        unknown
      </span>
    )
  }
  const share = volumeShare(measured)
  const isTight = share >= nearlyFullShare
  const text = `${formatBytes(measured.usedBytes)} of ${formatBytes(measured.capacityBytes)}`
  return (
    <span className="flex items-center gap-2 whitespace-nowrap tabular-nums" data-tooltip={text}>
      <span
        data-live-color=""
        className={cx('w-8', share >= fullShare ? 'text-danger' : isTight && 'text-warn')}
      >
        {sharePercent(share)}
      </span>
      <span aria-hidden data-track="" className="h-1.5 w-10 shrink-0 overflow-hidden rounded-full bg-active">
        <span
          data-live-color=""
          className={cx(
            'block h-full rounded-full',
            share >= fullShare ? 'bg-danger' : isTight ? 'bg-warn' : 'bg-chart-1',
          )}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className="text-text-3">{formatBytes(measured.usedBytes)}</span>
    </span>
  )
}
