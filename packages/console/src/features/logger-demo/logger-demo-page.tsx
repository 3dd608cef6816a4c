import { PageHeader } from '../../ui/page-header.tsx'
import { KeptLines } from './kept-lines.tsx'
import { MinLevel } from './min-level.tsx'
import { SimulatedCall } from './simulated-call.tsx'
import { WriteLine } from './write-line.tsx'

/** Tries the logger out: writes lines of every level, and shows what this browser has kept. */
export function LoggerDemoPage() {
  return (
    <>
      <PageHeader
        title="Logger demo"
        description="Lines go to the browser’s console; the last 1,000 are kept in this browser until you sign out."
        actions={<MinLevel />}
      />
      <div className="flex flex-col gap-8 px-(--gutter) py-6">
        <div className="grid items-start gap-8 lg:grid-cols-2">
          <WriteLine />
          <SimulatedCall />
        </div>
        <KeptLines />
      </div>
    </>
  )
}
