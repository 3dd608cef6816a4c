import { expect, test, vi } from 'vitest'
import type { ListLocation } from './list-location.ts'
import { listQuery, tableControls } from './list-location.ts'

const sorts = ['name', 'createdAt'] as const
const usual = { key: 'name', direction: 'asc' } as const

function locationAt(search: ListLocation['search']): ListLocation {
  return { search, change: vi.fn(), clear: vi.fn(), isFiltered: false }
}

test('a list is asked for what its address says, save an order that the server does not know', () => {
  expect(listQuery({ page: 3, q: 'prod', sort: 'createdAt', order: 'desc' }, sorts)).toEqual({
    page: 3,
    search: 'prod',
    sort: 'createdAt',
    order: 'desc',
  })
  expect(listQuery({ sort: 'password' }, sorts)).toEqual({})
})

test('a table is in its usual order until another is asked for, and a click on a head asks through the address', () => {
  const listLocation = locationAt({})
  expect(tableControls(listLocation, {}, usual, []).sort).toEqual(usual)
  const asked = tableControls(listLocation, { sort: 'createdAt', order: 'desc' }, usual, [])
  expect(asked.sort).toEqual({ key: 'createdAt', direction: 'desc' })
  asked.onSortChange({ key: 'name', direction: 'desc' })
  expect(listLocation.change).toHaveBeenCalledWith({ sort: 'name', order: 'desc' })
})

test('a table names the filters that are on, and is not filtered where none is', () => {
  const listLocation = locationAt({ q: 'prod' })
  expect(tableControls(listLocation, {}, usual, ['prod', undefined, 'running']).filter?.query).toBe(
    'prod · running',
  )
  expect(tableControls(listLocation, {}, usual, [undefined]).filter).toBeUndefined()
})
