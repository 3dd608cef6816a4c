import type { DatabaseBackup, DatabaseRecoverableWindow } from '@bey/contract'
import { History } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'
import { clockTime, momentText } from '../../../ui/time-text.ts'
import { localFields, zoneText } from './moment-fields.ts'
import { backIn } from './recovery-text.ts'
import { nearestMoment } from './window-text.ts'

export interface MomentBarProps {
  window: DatabaseRecoverableWindow
  backups: readonly DatabaseBackup[]
  atMs: number
  onChoose: (atMs: number) => void
  disabledReason: string | undefined
  onRestore: () => void
}

/** The chosen moment: its time to the second, the backup that it is restored from, and the way on. */
export function MomentBar({ window, backups, atMs, onChoose, disabledReason, onRestore }: MomentBarProps) {
  const nearest = nearestMoment(window, atMs)
  const base = backupBefore(backups, atMs)
  const expected = backIn(window.recovery, atMs)
  const moment = momentText(new Date(atMs).toISOString())
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-accent px-4 py-2.5">
      <label className="flex flex-wrap items-center gap-2">
        <span className="font-medium">As of</span>
        <Input
          type="datetime-local"
          step={1}
          className="w-56!"
          value={localFields(atMs)}
          onChange={({ target }) => {
            const typed = new Date(target.value).getTime()
            if (!Number.isNaN(typed)) onChoose(typed)
          }}
        />
        <span className="text-small text-text-3">{zoneText()}</span>
      </label>
      <p className="min-w-0 flex-1 basis-36 text-text-2">
        {nearest === atMs ? (
          base?.consistentAt == null ? null : (
            <>
              {expected === undefined ? (
                `Backup of ${momentText(base.consistentAt)}, then the changes recorded until ${moment}`
              ) : (
                <>
                  <span className="font-medium text-text">{expected.time}:</span> backup of{' '}
                  {momentText(base.consistentAt)}, then up to {expected.wal} of WAL
                </>
              )}
            </>
          )
        ) : (
          <span className="text-warn">
            This moment cannot be restored.{' '}
            {nearest === undefined ? null : (
              <button type="button" className="underline" onClick={() => onChoose(nearest)}>
                Choose {momentText(new Date(nearest).toISOString())}
              </button>
            )}
          </span>
        )}
      </p>
      <Button
        variant="primary"
        icon={<History size={14} aria-hidden />}
        disabledReason={disabledReason ?? (nearest === atMs ? undefined : 'This moment cannot be restored.')}
        onClick={onRestore}
      >
        Restore to {clockTime(new Date(atMs))}…
      </Button>
    </div>
  )
}

/** The newest backup whose copy had ended by then. */
function backupBefore(backups: readonly DatabaseBackup[], atMs: number): DatabaseBackup | undefined {
  const before = backups.filter(
    ({ status, consistentAt }) =>
      (status === 'completed' || status === 'verified' || status === 'verifying') &&
      consistentAt !== null &&
      Date.parse(consistentAt) <= atMs,
  )
  return before.toSorted((a, b) => (b.consistentAt ?? '').localeCompare(a.consistentAt ?? ''))[0]
}
