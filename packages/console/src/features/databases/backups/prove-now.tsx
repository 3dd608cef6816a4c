import { deniedReason } from '@bey/contract'
import { ShieldCheck } from 'lucide-react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'

/** The button that begins a restore drill. `refusal`: why none can be begun; undefined where one can. */
export function ProveNow({ database, refusal }: { database: Database; refusal: string | undefined }) {
  const drill = useChange('databases.drill')
  const stale = useStaleReason()
  const role = useRole()
  const denied = stale ?? deniedReason(role, 'databases.restore')
  return (
    <Button
      size="small"
      icon={<ShieldCheck size={14} aria-hidden />}
      busy={drill.isPending}
      disabledReason={denied ?? refusal}
      onClick={() =>
        drill.mutate(
          { params: { id: database.id } },
          { onError: (error) => toast('error', `The drill was not started: ${causeOf(error)}`) },
        )
      }
    >
      Prove it now
    </Button>
  )
}
