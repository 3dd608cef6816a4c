import type { ReactNode } from 'react'
import { useOrganizationId } from '../../../data/session.ts'
import { apiCommand, usePageCommands } from '../../../lib/page-commands.ts'
import { PageHeader } from '../../../ui/page-header.tsx'

/** The page where there is nothing to choose, and why. */
export function RestoreMessage({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  usePageCommands([
    apiCommand('Read what can be restored', 'databases.window', { params: { id } }, useOrganizationId()),
  ])
  return (
    <>
      <PageHeader title={title} />
      {children}
    </>
  )
}
