import type { DatabasePlanId } from '@bey/contract'
import { databaseCan, databasePlanIds, databasePlans } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { useManageDenied } from '../manage/use-manage-denied.ts'
import { ChangeDialog } from './change-dialog.tsx'

const options = databasePlanIds.map((value) => ({ value, label: databasePlans[value].label }))

/** The size of a database of Bey's. */
export function SizeForm({ database }: { database: Database }) {
  const current = database.plan ?? 'small'
  const [chosen, setChosen] = useState<DatabasePlanId>(current)
  const [isPlanning, setPlanning] = useState(false)
  const denied = useManageDenied()
  const { memoryBytes, maxConnections } = databasePlans[chosen]
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <Segmented label="Size" options={options} value={chosen} onChange={setChosen} />
      <span className="flex-1 text-text-2">
        {formatBytes(memoryBytes)} of memory, {maxConnections} connections
      </span>
      <Button
        disabledReason={denied ?? databaseCan.change(database)}
        disabled={chosen === current}
        onClick={() => setPlanning(true)}
      >
        Resize…
      </Button>
      {isPlanning ? (
        <ChangeDialog
          database={database}
          body={{ plan: chosen }}
          onClose={() => setPlanning(false)}
          onStarted={() => setPlanning(false)}
        />
      ) : null}
    </div>
  )
}
