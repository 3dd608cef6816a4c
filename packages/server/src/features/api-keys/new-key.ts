import {
  apiKeyBounds,
  deniedReason,
  entityOf,
  isAdministrative,
  type KeyResource,
  type Permission,
  type Role,
  roleHas,
} from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { entityExists } from '../../platform/db/entity-exists.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { requireRecentConfirmation } from '../../platform/http/step-up.ts'
import { canonicalNetwork } from '../../platform/keys/allowed-addresses.ts'
import { countLiveKeys } from './store.ts'

/** Throws `forbidden` unless a person holds every one of the permissions: nobody gives a key more than they have. */
export function requireHeld(role: Role, permissions: readonly Permission[]): void {
  const missing = permissions.find((permission) => !roleHas(role, permission))
  if (missing === undefined) return
  throw new AppError(
    'forbidden',
    `A key cannot be given the permission ${missing}, for you do not hold it. ${deniedReason(role, missing) ?? ''}`,
  )
}

/** Throws `step_up_required` where the key acts as an admin and nobody has confirmed lately that it is they who make it. */
export function requireConfirmed(
  caller: TenantCaller,
  permissions: readonly Permission[],
  clock: Clock,
): void {
  if (permissions.some(isAdministrative)) requireRecentConfirmation(caller, clock)
}

/** Throws `forbidden` for somebody who is impersonated: the key would outlive the impersonation. */
export function requireSelf({ impersonator }: TenantCaller): void {
  if (!impersonator) return
  throw new AppError(
    'forbidden',
    'A key would act for somebody else after the impersonation has ended. Exit it and make a key of your own.',
  )
}

/** Networks as they are kept. Throws `invalid_request` at the one that is none. */
export function readNetworks(given: readonly string[]): string[] {
  const networks = given.map((text, index) => {
    const network = canonicalNetwork(text)
    if (network !== undefined) return network
    const message = `"${text}" is no network. Write an address or a CIDR block, such as 203.0.113.7 or 10.0.0.0/8.`
    throw new AppError('invalid_request', message, {
      errors: [{ path: `allowedAddresses.${index}`, message }],
    })
  })
  return [...new Set(networks)]
}

/** Throws `not_found` unless the organization has every one of them. */
export async function requireResources(
  db: Db,
  organizationId: number,
  resources: readonly KeyResource[],
): Promise<void> {
  for (const { type, id } of resources) {
    if (await entityExists(db, organizationId, { type, id })) continue
    throw new AppError('not_found', `There is no ${entityOf(type).singular} ${id} in this organization.`)
  }
}

/** Throws `limit_reached` where a person, or the organization, has as many live keys as one may have. */
export async function requireRoom(db: Db, organizationId: number, ownerId: number | null): Promise<void> {
  if ((await countLiveKeys(db, organizationId, ownerId)) < apiKeyBounds.livePerOwner) return
  const whose = ownerId === null ? 'The organization has' : 'You have'
  throw new AppError(
    'limit_reached',
    `${whose} ${apiKeyBounds.livePerOwner} live API keys, which is the limit. Revoke one that is not used any more.`,
  )
}

/** Answers a name that another live key of the same owner has by `name_taken`. */
export async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'api_keys_name_key') throw error
    throw new AppError(
      'name_taken',
      `An API key named "${name}" exists already. Choose another name, or revoke that key.`,
      { cause: error },
    )
  }
}
