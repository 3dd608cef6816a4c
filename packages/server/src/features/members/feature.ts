import type { Feature, Parts } from '../../feature.ts'
import type { BelongingsKind } from '../../platform/belongings.ts'
import type { RootKey } from '../../platform/crypto/root-key.ts'
import type { KnownDevices } from '../../platform/http/known-devices.ts'
import { createAnswers, type Register } from './invitations/answers.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { createInvitations } from './invitations/service.ts'
import { invitationTokens } from './invitations/token.ts'
import { createRemoval } from './removal.ts'
import { createRoles } from './roles.ts'
import { memberRoutes } from './routes.ts'
import { memberResources } from './resources.ts'

type MembersNeeds = {
  rootKey: RootKey
  devices: Pick<KnownDevices, 'cookieOf'>
  /** Makes the account of somebody who was invited. */
  register: Register
  /** Asked at each removal: features are still being made when this one is. */
  belongings: () => readonly BelongingsKind[]
  /** Where people open the console, without a slash at the end. */
  address: () => string
}

export function membersFeature({ database, clock, mail, refusals }: Parts, needs: MembersNeeds) {
  const { rootKey, devices, register, belongings, address } = needs
  const tokens = invitationTokens(rootKey)
  return {
    handlers: {
      ...memberRoutes(database, createRoles({ database }), createRemoval({ database, clock, belongings })),
      ...invitationRoutes(
        createInvitations({ database, clock, tokens, mail, address }),
        createAnswers({ database, clock, register, refusals }),
        devices,
      ),
    },
    inventory: [memberResources(database)],
  } satisfies Feature
}
