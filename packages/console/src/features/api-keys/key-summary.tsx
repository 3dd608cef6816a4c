import { useOrganizationId, useRole } from '../../data/session.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { CommandDetails } from '../../ui/command-details.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { permissionsOf, readDraft } from './key-draft.ts'
import type { KeyDraft } from './key-draft.ts'
import { splitList } from './key-text.ts'

/** What is created, and the command that makes it. */
export function KeySummary({ draft }: { draft: KeyDraft }) {
  const role = useRole()
  const organizationId = useOrganizationId()
  const { input } = readDraft(draft, role)
  const create = input && apiCommand('Create this key', 'apiKeys.create', { body: input }, organizationId)
  usePageCommands(create ? [create] : [])
  const networks = splitList(draft.addresses).length
  return (
    <Section title="Summary" isCard>
      <Facts
        facts={[
          { label: 'Name', value: draft.name || '—' },
          { label: 'Belongs to', value: draft.isPersonal ? 'me' : 'the organization' },
          { label: 'Permissions', value: permissionsOf(draft, role).length },
          { label: 'Resources', value: draft.isLimited ? draft.resources.length : 'all' },
          { label: 'Networks', value: networks === 0 ? 'any' : networks },
          { label: 'Expires', value: draft.days === 'never' ? 'never' : `after ${draft.days} days` },
        ]}
      />
      {create ? <CommandDetails label="Command that creates this key" text={create.text} /> : null}
    </Section>
  )
}
