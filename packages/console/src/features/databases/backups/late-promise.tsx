import { type DatabaseRecoverableWindow, overPromiseMs } from '@bey/contract'
import { formatDuration } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { latestMoment } from './window-text.ts'
import { backMsAt } from './recovery-text.ts'

/** Says that being back at the latest moment would take longer than is promised; nothing while it would not, or is not measured. */
export function LatePromise({
  window,
  recoveryTimeMinutes,
}: {
  window: DatabaseRecoverableWindow
  recoveryTimeMinutes: number | null
}) {
  const latestMs = latestMoment(window)
  const backMs = latestMs === undefined ? undefined : backMsAt(window.recovery, latestMs)
  const overMs = backMs === undefined ? null : overPromiseMs(backMs, recoveryTimeMinutes)
  if (backMs === undefined || overMs === null || overMs <= 0) return null
  return (
    <Notice
      tone="warn"
      title={`To be back now would take about ${formatDuration(backMs)}, ${formatDuration(overMs)} more than promised.`}
    >
      It grows with the changes since the last base backup: a new one shortens it.
    </Notice>
  )
}
