import { act } from '../../platform/act.ts'
import {
  isValidSecretName,
  type SecretImportRow,
  secretLimits,
  secretNameRule,
  type SecretTransferFormat,
} from '@bey/contract'
import { AppError } from '../../platform/errors.ts'
import type { Db } from '../../platform/db/database.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { addVersion } from './add-version.ts'
import { insertPrepared, type NewSecretInput, orNameTaken, prepareSecret, requireRoom } from './new-secret.ts'
import { type SecretParts, secretTarget, type Who } from './parts.ts'
import { type FileEntry, readFile } from './read-file.ts'
import { findSecretByName, lockSecret, type SecretRow } from './store.ts'

type ImportInput = {
  format: SecretTransferFormat
  text: string
  prefix: string
  onExisting: 'skip' | 'version' | 'refuse'
  choices: Readonly<Record<string, 'store' | 'skip'>>
  dryRun: boolean
}

/** What becomes of an entry, and how to do it. */
type Step = { row: SecretImportRow; apply?: (db: Db) => Promise<unknown> }

/** Stores the entries of a file as secrets: all of them, or none where one is refused. */
export function createImport(parts: SecretParts) {
  const { database, dataKeys } = parts

  async function stepOf(db: Db, entry: FileEntry, input: ImportInput, who: Who): Promise<Step> {
    const { line, value } = entry
    const name = `${input.prefix}${entry.name}`
    const choice = Object.hasOwn(input.choices, name) ? input.choices[name] : undefined
    const existing = isValidSecretName(name) ? await lockedByName(db, who.organizationId, name) : undefined
    const about = {
      name,
      line,
      type: existing?.type ?? entry.type ?? 'opaque',
      exists: existing !== undefined,
    }
    const refuse = (message: string): Step => ({
      row: { ...about, outcome: 'refused', message: `Line ${line}: ${message}` },
    })
    const skip = (message: string): Step => ({ row: { ...about, outcome: 'skipped', message } })
    if (choice === 'skip') return skip('Left out by choice.')
    if (value === '') return skip('It is empty: there is nothing to keep.')
    if (!isValidSecretName(name)) return refuse(`This is no name of a secret. ${secretNameRule}`)
    const asked: NewSecretInput = {
      name,
      value,
      type: about.type,
      encoding: entry.encoding ?? 'utf8',
      description: (entry.description ?? '').slice(0, secretLimits.description),
      labels: {},
      maxVersions: secretLimits.defaultVersions,
      requireCas: false,
    }
    const prepared = await prepareSecret(asked).catch((error: unknown) => {
      if (error instanceof AppError) return error
      throw error
    })
    if (prepared instanceof AppError) return refuse(prepared.message)
    if (existing === undefined) {
      return {
        row: { ...about, outcome: 'created', ...noteOn(value) },
        apply: (to) => insertPrepared(parts, to, prepared, who),
      }
    }
    const onExisting = choice === 'store' ? 'version' : input.onExisting
    if (onExisting === 'skip') return skip('It is there already.')
    const refusal = onExisting === 'refuse' ? `A secret named "${name}" already exists.` : blockOf(existing)
    if (refusal !== undefined) return refuse(refusal)
    const hash = await dataKeys.fingerprint(db, who.organizationId, prepared.plain, 'secret-value')
    if (hash === existing.valueHash) return skip('It has this value already.')
    return {
      row: { ...about, outcome: 'versioned', ...noteOn(value) },
      async apply(to) {
        const addition = { value, encoding: asked.encoding, reason: 'Imported from a file' }
        const added = await addVersion(parts, to, existing, addition, who)
        const diff = { version: { from: existing.currentVersion, to: added }, reason: addition.reason }
        await act(to, who, { action: 'secret.update', class: 'update', diff, target: secretTarget(existing) })
      },
    }
  }

  return async function importFile(input: ImportInput, who: Who) {
    const { organizationId } = who
    // In one order, so that of two imports neither waits for the other in a circle.
    const entries = readFile(input.format, input.text)
    const order = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    return orNameTaken('in the file', () =>
      database.withTenant(organizationId, async (db) => {
        const steps = new Map<FileEntry, Step>()
        for (const entry of order) steps.set(entry, await stepOf(db, entry, input, who))
        const all = entries.flatMap((entry) => steps.get(entry) ?? [])
        await requireRoom(db, organizationId, all.filter(({ row }) => row.outcome === 'created').length)
        const isApplied = !input.dryRun && all.every(({ row }) => row.outcome !== 'refused')
        if (isApplied) for (const { apply } of all) await apply?.(db)
        return keepReply(db, { isApplied, rows: all.map(({ row }) => row) })
      }),
    )
  }
}

/** Says what nobody may expect otherwise: other tools put the value of a variable there. */
function noteOn(value: FileEntry['value']): { message?: string } {
  const isExpanded = typeof value === 'string' && /\$\{\w+\}/.test(value)
  return isExpanded ? { message: 'It names a variable as in ${NAME}, which is kept as text.' } : {}
}

async function lockedByName(db: Db, organizationId: number, name: string): Promise<SecretRow | undefined> {
  const found = await findSecretByName(db, organizationId, name)
  if (found === undefined) return undefined
  await lockSecret(db, organizationId, found.id)
  return findSecretByName(db, organizationId, name)
}

function blockOf({ name, status, requireCas }: SecretRow): string | undefined {
  if (status === 'pending_deletion') return `The secret "${name}" is being deleted. Restore it first.`
  if (requireCas) return `The secret "${name}" takes a new value only together with expectedVersion.`
  return undefined
}
