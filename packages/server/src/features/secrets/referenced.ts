import { secretFields } from '@bey/contract'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { memberAt } from '../../platform/masking/structured-value.ts'
import { secrets } from '../../tables/secrets.ts'
import { findSecretByName, type SecretRow } from './store.ts'
import type { SecretValue } from './value.ts'

/** A secret as an expression names it. */
export type SecretReference = { name: string; version?: number; field?: string }

/**
 * The secret that a reference names, and the path of the member of its value: `gcp.private_key` is the secret of that
 * name, or else the member `private_key` of the secret `gcp`. Undefined where there is none.
 */
export async function findReferenced(
  db: Db,
  organizationId: number,
  { name, field }: Pick<SecretReference, 'name' | 'field'>,
): Promise<{ row: SecretRow; path: string | undefined } | undefined> {
  const names = [name, ...ownersOf(name)]
  const found = await db
    .select({ name: secrets.name })
    .from(secrets)
    .where(
      and(
        eq(secrets.organizationId, organizationId),
        inArray(secrets.name, names),
        ne(secrets.status, 'deleted'),
      ),
    )
  const known = new Set(found.map((each) => each.name))
  const owner = names.find((each) => known.has(each))
  const row = owner === undefined ? undefined : await findSecretByName(db, organizationId, owner)
  if (row === undefined) return undefined
  const member = name.slice(row.name.length + 1)
  return { row, path: [member, field].filter(Boolean).join('.') || undefined }
}

/** Names before each dot, the longest first. */
function ownersOf(name: string): string[] {
  const parts = name.split('.')
  return parts
    .slice(1)
    .map((_, index) => parts.slice(0, index + 1).join('.'))
    .toReversed()
}

/** The text that a path names in a value, or why there is none; never quotes the value. */
export function textAt(
  { name, type }: Pick<SecretRow, 'name' | 'type'>,
  { value }: SecretValue,
  path: string | undefined,
): { text: string } | { problem: string } {
  if (typeof value === 'string') {
    const text = path === undefined ? value : memberAt(value, path)
    return text === undefined
      ? {
          problem: `The value of the secret "${name}" has no field "${path}". Fields are read of JSON, YAML, dotenv and properties.`,
        }
      : { text }
  }
  const fields = secretFields[type].map((each) => each.name)
  const known = `Its fields are ${fields.join(', ')}.`
  if (path === undefined) {
    return { problem: `Name a field of the secret "${name}", as in ${name}.${fields[0]}. ${known}` }
  }
  const text = Object.hasOwn(value, path) ? value[path] : undefined
  return text === undefined ? { problem: `The secret "${name}" has no field "${path}". ${known}` } : { text }
}
