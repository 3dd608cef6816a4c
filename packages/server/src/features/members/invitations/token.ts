import { createHmac } from 'node:crypto'
import type { RootKey } from '../../../platform/crypto/root-key.ts'
import { hashToken } from '../../../platform/crypto/token.ts'

export type InvitationTokens = {
  /** The token of a link, made again from the root key: nothing from which it follows is stored. */
  tokenOf(invitation: { id: string; round: number; tokenHash: Buffer }): string | undefined
  /** The token of a new round, with what is stored of it. */
  newToken(invitation: { id: string; round: number }): { token: string; tokenHash: Buffer }
}

/**
 * Tokens of invitation links, 256 bits each. They follow from the root key, the invitation and its round, so that an
 * inviter can copy a link again, while a copy of the database opens none.
 */
export function invitationTokens({ key, previous }: RootKey): InvitationTokens {
  const under = (rootKey: Buffer, { id, round }: { id: string; round: number }) =>
    `bey_invite_${createHmac('sha256', rootKey).update(`bey-invitation ${id} ${round}`).digest('base64url')}`
  return {
    tokenOf(invitation) {
      // Made before the root key was changed: its link still works until it is made again.
      const keys = previous ? [key, previous.key] : [key]
      return keys
        .map((each) => under(each, invitation))
        .find((token) => hashToken(token).equals(invitation.tokenHash))
    },
    newToken(invitation) {
      const token = under(key, invitation)
      return { token, tokenHash: hashToken(token) }
    },
  }
}
