import { expect, test } from 'vitest'
import {
  invitationMoves,
  invitationRoles,
  invitationStatuses,
  leaveRefusal,
  removalRefusal,
  roleChangeRefusal,
} from './rules.ts'
import { roles } from '../base/permissions.ts'

const owner = { id: 1, role: 'OWNER' } as const
const admin = { id: 2, role: 'ADMIN' } as const
const member = { id: 3, role: 'MEMBER' } as const

test('nobody changes or removes themselves', () => {
  for (const role of roles) {
    const self = { id: 1, role }
    for (const to of roles) expect(roleChangeRefusal(self, self, to, 2)).toMatch(/^Nobody changes/)
    expect(removalRefusal(self, self, 2)).toMatch(/^You cannot remove yourself/)
  }
})

test('owners are made, changed and removed by owners alone', () => {
  expect(roleChangeRefusal(admin, member, 'OWNER', 2)).toMatch(/^Only an owner makes/)
  expect(roleChangeRefusal(admin, owner, 'MEMBER', 2)).toMatch(/^Only an owner changes/)
  expect(removalRefusal(admin, owner, 2)).toMatch(/^Only an owner removes/)
  expect(roleChangeRefusal(owner, member, 'OWNER', 1)).toBeUndefined()
  expect(roleChangeRefusal(admin, member, 'ADMIN', 1)).toBeUndefined()
  expect(invitationRoles).not.toContain('OWNER')
})

test('the last owner stays', () => {
  const other = { id: 4, role: 'OWNER' } as const
  expect(roleChangeRefusal(other, owner, 'ADMIN', 1)).toMatch(/^The last owner stays/)
  expect(roleChangeRefusal(other, owner, 'ADMIN', 2)).toBeUndefined()
  expect(removalRefusal(other, owner, 1)).toMatch(/^The last owner stays/)
  expect(leaveRefusal(owner, 1)).toMatch(/^The last owner cannot leave/)
  expect(leaveRefusal(owner, 2)).toBeUndefined()
  expect(leaveRefusal(member, 1)).toBeUndefined()
})

test('an invitation that was answered or revoked is over', () => {
  const open = invitationStatuses.filter((status) => invitationMoves[status].length > 0)
  expect(open).toEqual(['pending', 'expired'])
})
