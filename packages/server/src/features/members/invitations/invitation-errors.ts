import { AppError } from '../../../platform/errors.ts'

/** Refuses a link or an act on an invitation that is not pending any more. */
export function invitationOver(status: 'accepted' | 'rejected' | 'cancelled' | 'expired'): AppError {
  return new AppError('invitation_over', overTexts[status])
}

const overTexts = {
  accepted: 'This invitation was accepted already. Log in to open the organization.',
  rejected: 'This invitation was declined. Ask the person who invited you for another one.',
  cancelled: 'This invitation was revoked. Ask the person who invited you for another one.',
  expired: 'This invitation has expired. Ask the person who invited you to send it again.',
} as const

export function noSuchInvitation(): AppError {
  return new AppError('not_found', 'There is no such invitation of this organization.')
}
