import { act } from '../../platform/act.ts'
import { type SecretFacts, secretLimits, type SecretType } from '@bey/contract'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { AppError } from '../../platform/errors.ts'
import { readFacts } from './facts.ts'
import { sealContext, type SecretParts, secretTarget, type Who } from './parts.ts'
import { countSecrets, insertSecret, replaceGrants } from './store.ts'
import { type Encoding, encodeValue, type GivenValue, parseValue } from './value.ts'
import { insertVersion } from './version-store.ts'

export type NewSecretInput = {
  name: string
  description: string
  type: SecretType
  value: GivenValue
  encoding: Encoding
  labels: Record<string, string>
  expiresAt?: string | null | undefined
  maxVersions: number
  requireCas: boolean
}

/** What is stored of a new secret, checked against its type. */
export type PreparedSecret = { input: NewSecretInput; plain: Buffer; facts: SecretFacts }

/** Throws AppError naming the field that its type refuses. */
export async function prepareSecret(input: NewSecretInput): Promise<PreparedSecret> {
  const value = parseValue(input.type, input.value, input.encoding)
  return { input, plain: encodeValue(value), facts: await readFacts(input.type, value) }
}

/** Stores a new secret with its first version and grants, and answers its id. */
export async function insertPrepared(
  { dataKeys }: SecretParts,
  db: Db,
  { input, plain, facts }: PreparedSecret,
  who: Who,
): Promise<string> {
  const { organizationId } = who
  const id = uuidv7()
  const valueHash = await dataKeys.fingerprint(db, organizationId, plain, 'secret-value')
  const { name, description, type, labels, maxVersions, requireCas } = input
  await insertSecret(db, {
    id,
    organizationId,
    name,
    description,
    type,
    labels,
    maxVersions,
    requireCas,
    facts,
    valueHash,
    currentVersion: 1,
    lastVersion: 1,
    expiresAt: date(input.expiresAt) ?? date(facts.certificate?.notAfter) ?? null,
    createdBy: who.user.id,
  })
  await insertVersion(db, {
    organizationId,
    secretId: id,
    version: 1,
    status: 'current',
    sealed: await dataKeys.seal(db, organizationId, plain, sealContext(id, 1)),
    valueHash,
    createdBy: who.user.id,
  })
  await replaceGrants(db, organizationId, id, initialGrants(id, who))
  const diff = { type, labels, ...(input.expiresAt && { expiresAt: input.expiresAt }) }
  await act(db, who, { action: 'secret.create', class: 'create', diff, target: secretTarget({ id, name }) })
  return id
}

/** Throws AppError `limit_reached` unless the organization can have so many more. */
export async function requireRoom(db: Db, organizationId: number, more: number): Promise<void> {
  if ((await countSecrets(db, organizationId)) + more <= secretLimits.perOrganization) return
  throw new AppError(
    'limit_reached',
    `An organization can have ${secretLimits.perOrganization} secrets, and this would be more. Delete some that are unused.`,
  )
}

/** Whoever stores a secret manages it; members may use it without seeing it. */
function initialGrants(secretId: string, { organizationId, user }: Who) {
  const grant = { organizationId, secretId, grantedBy: user.id }
  return [
    { ...grant, subjectType: 'user', subjectId: String(user.id), access: 'manage' } as const,
    { ...grant, subjectType: 'role', subjectId: 'MEMBER', access: 'use' } as const,
  ]
}

export function date(text: string | null | undefined): Date | undefined {
  return text == null ? undefined : new Date(text)
}

export async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'secrets_name_key') throw error
    throw new AppError(
      'name_taken',
      `A secret named "${name}" already exists. Choose another name or update the existing secret.`,
      { cause: error },
    )
  }
}
