import { flagLine } from '@bey/contract'
import { useOrganizationId } from '../../../data/session.ts'
import { apiCommand, usePageCommands } from '../../../lib/page-commands.ts'
import { CommandDetails } from '../../../ui/command-details.tsx'
import type { CreationBody } from './creation-draft.ts'

/** The same request on the command line. One with a connection is left out: it has a password. */
export function CreationCommand({ body }: { body: CreationBody | undefined }) {
  const organizationId = useOrganizationId()
  const isShown = body !== undefined && body.provider !== 'external'
  const text = isShown ? flagLine('databases.create', withoutDefaults(body)) : ''
  usePageCommands(
    isShown
      ? [
          {
            ...apiCommand('Create this database', 'databases.create', { body }, organizationId),
            bey: text,
          },
        ]
      : [],
  )
  if (!isShown) return null
  return (
    <div className="min-w-0">
      <CommandDetails label="Command that creates this database" text={text} />
    </div>
  )
}

/** What a request means without being said. */
function withoutDefaults({ description, isProtected, allowList, ...body }: CreationBody) {
  return {
    ...body,
    ...(description !== '' && { description }),
    ...(isProtected === true && { isProtected }),
    ...(allowList !== undefined && allowList.length > 0 && { allowList }),
  }
}
