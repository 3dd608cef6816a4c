import { deniedReason, diskQuotaLimits } from '@bey/contract'
import type { Database } from '../../data/databases.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { databaseHref } from '../../entities/databases/database-text.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'

/** Says that a disk quota is nearly full or full, with the ways on. */
export function QuotaNotice({ database }: { database: Database }) {
  const { id, name, health, figures } = database
  const allow = useChange('databases.allowWrites')
  const role = useRole()
  const stale = useStaleReason()
  const denied = stale ?? deniedReason(role, 'databases.manage')
  const isRefusing = figures?.diskQuota?.isRefusing === true
  return (
    <div className="px-(--gutter) py-4">
      <Notice
        tone={isRefusing ? 'danger' : 'warn'}
        title={isRefusing ? 'Writes are refused; reads and VACUUM go on' : health.detail}
        actions={
          <>
            {isRefusing ? (
              <Button
                size="small"
                busy={allow.isPending}
                disabledReason={denied}
                onClick={() =>
                  allow.mutate(
                    { params: { id }, body: {} },
                    {
                      onSuccess: () => toast('success', `${name} can be written again for a while`),
                      onError: (error) => toast('error', `Writes were not allowed: ${causeOf(error)}`),
                    },
                  )
                }
              >
                Allow writes for {diskQuotaLimits.minutes.default} min
              </Button>
            ) : null}
            <ButtonLink size="small" href={databaseHref(id, 'settings')}>
              Change the quota
            </ButtonLink>
          </>
        }
      />
    </div>
  )
}
