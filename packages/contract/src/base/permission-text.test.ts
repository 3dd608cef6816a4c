import { expect, test } from 'vitest'
import { deniedPermission, deniedReason, roleTable } from './permission-text.ts'
import { type Permission, permissionTable, roles } from './permissions.ts'

const permissions = Object.keys(permissionTable) as Permission[]

test('the table of roles has every permission once, and those of one line need the same role', () => {
  const lines = roleTable().flatMap((group) => group.lines)
  expect(lines.flatMap((line) => line.permissions).toSorted()).toEqual(permissions.toSorted())
  for (const line of lines) {
    expect(new Set(line.permissions.map((each) => permissionTable[each])).size, line.text).toBe(1)
  }
})

test('the table says what the server enforces', () => {
  const lines = roleTable().flatMap((group) => group.lines)
  const line = (text: string) => lines.find((each) => each.text === text)?.holds
  expect(line('All but secret values')).toEqual({ OWNER: true, ADMIN: true, MEMBER: true, VIEWER: true })
  expect(line('Create and delete clusters')).toMatchObject({ ADMIN: true, MEMBER: false })
  expect(line('Reveal secret values')).toMatchObject({ ADMIN: true, MEMBER: 'granted', VIEWER: false })
  expect(line('Delete the organization')).toMatchObject({ OWNER: true, ADMIN: false })
})

test('each reason leads back to the permission and the role that it is about', () => {
  for (const permission of permissions) {
    for (const role of roles) {
      const reason = deniedReason(role, permission)
      if (reason !== undefined) expect(deniedPermission(reason)).toEqual({ role, permission })
    }
  }
  expect(deniedPermission('The link is incomplete.')).toBeUndefined()
})
