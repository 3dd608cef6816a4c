import { deniedReason, diskQuotaLimits } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { toast } from '../../../ui/toast.ts'

const mebibyte = 1024 ** 2

type Quota = NonNullable<NonNullable<Database['figures']>['diskQuota']>

/** What the databases of a server take of its disk quota, and how large that is. */
export function QuotaForm({ database, quota }: { database: Database; quota: Quota }) {
  const [text, setText] = useState(quota.isOwn ? String(Math.round(quota.limitBytes / mebibyte)) : '')
  const set = useChange('databases.setDiskQuota')
  const role = useRole()
  const stale = useStaleReason()
  const denied = stale ?? deniedReason(role, 'databases.manage')
  const mib = Number(text)
  const isDefault = text.trim() === ''
  const limitBytes = isDefault ? null : Math.round(mib * mebibyte)
  const smallest = diskQuotaLimits.minBytes / mebibyte
  const error =
    isDefault || (Number.isFinite(mib) && mib >= smallest) ? undefined : `Enter ${smallest} MiB or more.`
  return (
    <div className="flex flex-col gap-4">
      <Meter
        label="All databases of its server"
        used={quota.usedBytes}
        total={quota.limitBytes}
        format={formatBytes}
        warnAt={diskQuotaLimits.warnFrom[0]}
      />
      <form
        noValidate
        className="flex flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (error !== undefined || denied !== undefined) return
          set.mutate(
            { params: { id: database.id }, body: { limitBytes } },
            {
              onSuccess: () => toast('success', `The disk quota of ${database.name} is changed`),
              onError: (failure) => toast('error', `The disk quota was not changed: ${causeOf(failure)}`),
            },
          )
        }}
      >
        <div className="min-w-60 flex-1">
          <Field
            label="Quota in MiB"
            required={false}
            error={error}
            hint="Empty: what follows from its size. Once it is full, the server refuses to write."
          >
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                placeholder={String(Math.round(quota.limitBytes / mebibyte))}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" className="mt-6" busy={set.isPending} disabledReason={denied}>
          Save
        </Button>
      </form>
    </div>
  )
}
