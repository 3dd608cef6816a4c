import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useRole } from '../../../data/session.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { ParameterPart } from '../changes/parameter-part.tsx'
import { ExtensionPart } from './extension-part.tsx'
import { RolePart } from './role-part.tsx'
import { ServerDatabasePart } from './server-database-part.tsx'

const parts = [
  { value: 'users', label: 'Users' },
  { value: 'databases', label: 'Databases' },
  { value: 'extensions', label: 'Extensions' },
  { value: 'parameters', label: 'Parameters' },
] as const

/** What is in the server of a database beside its tables: users, other databases, extensions and parameters. */
export function ManageTab({ database }: { database: Database }) {
  const [part, setPart] = useState<(typeof parts)[number]['value']>('users')
  const denied = deniedReason(useRole(), 'databases.query')
  if (denied !== undefined) return <EmptyState title="The server is not shown to you" description={denied} />
  return (
    <div className="flex flex-col gap-4 px-(--gutter) py-4">
      <div className="max-w-full overflow-x-auto">
        <Segmented label="Part of the server" options={parts} value={part} onChange={setPart} />
      </div>
      {part === 'users' ? <RolePart database={database} /> : null}
      {part === 'databases' ? <ServerDatabasePart database={database} /> : null}
      {part === 'extensions' ? <ExtensionPart database={database} /> : null}
      {part === 'parameters' ? <ParameterPart database={database} /> : null}
    </div>
  )
}
