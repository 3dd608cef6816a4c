import {
  credentialName,
  databaseLimits,
  databaseNameTaken,
  type DatabasePlanId,
  databasePlans,
  diskQuotaProblem,
  extensionRefusal,
  neededExtensions,
} from '@bey/contract'

import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { AppError } from '../../platform/errors.ts'
import type { Credentials } from '../secrets/credentials.ts'
import type { Who } from '../secrets/parts.ts'
import type { DatabaseProviders } from './provider.ts'
import { countDatabases, insertDatabase } from './store.ts'

type Values = Omit<Parameters<typeof insertDatabase>[1], 'id' | 'organizationId' | 'createdBy'>

/** Stores a new database, with its password as a secret, and answers its id. Throws AppError `limit_reached`. */
export async function insertNewDatabase(
  credentials: Credentials,
  db: Db,
  values: Values,
  password: string | null,
  caller: Who,
): Promise<string> {
  const { organizationId, user } = caller
  if ((await countDatabases(db, organizationId)) >= databaseLimits.perOrganization) {
    throw new AppError(
      'limit_reached',
      `This organization has ${databaseLimits.perOrganization} databases, which is the most it can have. Delete one first.`,
    )
  }
  const id = uuidv7()
  const secret = {
    name: credentialName(values.name),
    description: `Password of the database ${values.name}.`,
  }
  const credentialSecretId =
    password === null ? null : await credentials.create(db, { ...secret, password }, caller)
  await insertDatabase(db, { ...values, id, organizationId, credentialSecretId, createdBy: user.id })
  return id
}

/** Throws AppError `limit_reached` where no server of this plan fits, with the way out. */
export async function requireRoomOnMachine(
  { embedded }: Pick<DatabaseProviders, 'embedded'>,
  plan: DatabasePlanId,
): Promise<void> {
  const refusal = await embedded.refusalOf(databasePlans[plan].memoryBytes)
  if (refusal !== undefined) throw new AppError('limit_reached', refusal)
}

/** Throws AppError `limit_reached` where the disk of the machine has less left than a quota. */
export async function requireRoomOnDisk(
  { embedded }: Pick<DatabaseProviders, 'embedded'>,
  quotaBytes: number,
  usedBytes = 0,
): Promise<void> {
  const { freeDiskBytes } = await embedded.capacity()
  const problem = diskQuotaProblem(quotaBytes, freeDiskBytes, usedBytes)
  if (problem !== undefined) throw new AppError('limit_reached', problem)
}

/** Extensions that Bey installs in a new database on its own machine, beside those that every one has. */
export async function offeredExtensions({
  embedded,
}: Pick<DatabaseProviders, 'embedded'>): Promise<{ name: string; about: string }[]> {
  const found = await embedded.extensions()
  return found.filter(
    ({ name }) => !neededExtensions.includes(name) && extensionRefusal(name, 'embedded') === undefined,
  )
}

/** Throws AppError `invalid_request` for an extension that is not installed in a new database. */
export async function requireExtensions(
  providers: Pick<DatabaseProviders, 'embedded'>,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const offered = new Set((await offeredExtensions(providers)).map(({ name }) => name))
  const errors = names.flatMap((name, index) => {
    if (offered.has(name) || neededExtensions.includes(name)) return []
    const why = extensionRefusal(name, 'embedded') ?? 'PostgreSQL on this machine does not bring it.'
    return [{ path: `extensions.${index}`, message: `"${name}" is not installed. ${why}` }]
  })
  const [first] = errors
  if (first !== undefined) throw new AppError('invalid_request', first.message, { errors })
}

/** Explains that another database has the name. */
export async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'databases_name_key') throw error
    throw new AppError('name_taken', databaseNameTaken(name), { cause: error })
  }
}
