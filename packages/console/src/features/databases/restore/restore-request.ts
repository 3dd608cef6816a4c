import { type CallInput, databaseNameRule, type DatabasePlanId, isValidDatabaseName } from '@bey/contract'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { restoreCommand } from './restore-command.ts'
import type { RestoreSource } from './restore-source.ts'
import type { ChosenTable } from './table-choice.ts'

interface Choice {
  source: Pick<RestoreSource, 'id' | 'name' | 'plan' | 'live'>
  /** Undefined where a new database is made. */
  table: { wanted: ChosenTable | undefined; isReplacing: boolean } | undefined
  draft: { name: string; plan: DatabasePlanId }
  /** Undefined: as late as possible, or the backup itself. */
  targetTime: string | undefined
  backupId: string | undefined
}

/** What is sent for a restore, what is wrong with it, and the command that does the same. `body` is undefined while it is wrong. */
export function restoreRequest({ source, table, draft, targetTime, backupId }: Choice): {
  body: CallInput<'databases.restore'>['body'] | undefined
  invalid: FieldErrors
  command: string
} {
  const point = { ...(targetTime && { targetTime }), ...(backupId && { backupId }) }
  const database = { id: source.id, name: source.name, isDeleted: source.live === undefined }
  const when = [
    ['at', targetTime],
    ['backup-id', backupId],
  ] as const
  if (table === undefined) {
    const name = draft.name.trim()
    const isValid = isValidDatabaseName(name)
    return {
      body: isValid ? { name, plan: draft.plan, ...point } : undefined,
      invalid: isValid ? {} : { name: databaseNameRule },
      command: restoreCommand(database, [
        ...when,
        ['name', name],
        ['plan', draft.plan === source.plan ? undefined : draft.plan],
      ]),
    }
  }
  const { wanted, isReplacing } = table
  const schema = wanted === undefined || wanted.schema === 'public' ? undefined : wanted.schema
  return {
    body: wanted && {
      table: wanted.name,
      ...(schema !== undefined && { schema }),
      ...(isReplacing && { replace: true }),
      ...point,
    },
    invalid: wanted ? {} : { table: 'Name a table, with its schema before a dot unless that is public.' },
    command: restoreCommand(database, [
      ...when,
      ['table', wanted?.name ?? 'TABLE'],
      ['schema', schema],
      ['replace', isReplacing ? '' : undefined],
    ]),
  }
}
