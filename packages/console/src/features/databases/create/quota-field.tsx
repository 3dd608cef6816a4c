import { type DatabasePlanId, planDiskBytes } from '@bey/contract'
import { formatBytes } from '../../../lib/format.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'

/** What a new database may take on disk. */
export function QuotaField({
  quota,
  freeDiskBytes,
  plan,
  error,
  disabledReason,
  onChange,
}: {
  /** In GiB; empty: by its size. */
  quota: string
  freeDiskBytes: number
  plan: DatabasePlanId
  error: string | undefined
  /** Why it cannot be set. */
  disabledReason: string | undefined
  onChange: (quota: string) => void
}) {
  const bySize = formatBytes(planDiskBytes[plan])
  return (
    <Field
      label="Disk quota"
      required={false}
      error={error}
      hint={
        disabledReason ??
        `Empty: ${bySize}, by its size. ${formatBytes(freeDiskBytes)} of the disk are free. Once the quota is full, the server refuses to write.`
      }
    >
      {(control) => (
        <Input
          {...control}
          type="number"
          min={0}
          step="any"
          inputMode="decimal"
          value={quota}
          disabled={disabledReason !== undefined}
          placeholder={String(planDiskBytes[plan] / 1024 ** 3)}
          trailing={<span className="pr-1 text-text-3">GiB</span>}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
