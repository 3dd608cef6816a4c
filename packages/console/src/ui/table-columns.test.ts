// @vitest-environment node
import { expect, test } from 'vitest'
import { fittingColumns, withLengths } from './table-columns.ts'
import type { Column } from './table-types.ts'

const column = (key: string, width?: string, isExtra = false): Column<object> => ({
  key,
  header: key,
  cell: () => key,
  ...(width === undefined ? {} : { width }),
  isExtra,
})
const columns = [
  column('name'),
  column('status', '10rem'),
  column('version', '8rem', true),
  column('region', '8rem', true),
  column('created', '8rem'),
]
const keysAt = (roomPx: number) => fittingColumns({ columns }, roomPx, 16).map(({ key }) => key)

test('all columns are shown where they fit', () => {
  expect(keysAt(46 * 16)).toEqual(['name', 'status', 'version', 'region', 'created'])
})

test('the last extra column goes first, and only as many as needed', () => {
  expect(keysAt(46 * 16 - 1)).toEqual(['name', 'status', 'version', 'created'])
  expect(keysAt(38 * 16 - 1)).toEqual(['name', 'status', 'created'])
})

test('a column that gets what is left goes when shares of the whole leave it too little', () => {
  const shared = [column('name', '40%'), column('status', '40%'), column('images', undefined, true)]
  const keysOf = (roomPx: number) => fittingColumns({ columns: shared }, roomPx, 16).map(({ key }) => key)
  expect(keysOf(5 * 128)).toEqual(['name', 'status', 'images'])
  expect(keysOf(5 * 128 - 1)).toEqual(['name', 'status'])
  const lengths = [column('name', '40%'), column('status', '40%'), column('ip', '8rem', true)]
  const shown = fittingColumns({ columns: lengths }, 5 * 128 - 1, 16)
  expect(shown.map(({ key }) => key)).toEqual(['name', 'status', 'ip'])
})

test('shares of the whole give way before the name gets less than its room', () => {
  const shared = [column('name'), column('status', '50%'), column('cpu', '10rem')]
  const widthsAt = (roomPx: number) =>
    fittingColumns({ columns: shared }, roomPx, 16).map(({ width }) => width)
  expect(widthsAt(704)).toEqual([undefined, '50%', '10rem'])
  expect(widthsAt(703)).toEqual([undefined, '351px', '10rem'])
  expect(widthsAt(500)).toEqual([undefined, '148px', '10rem'])
  // Narrower than all that is needed, the table scrolls.
  expect(widthsAt(300)).toEqual([undefined, '128px', '10rem'])
})

test('what matters is never left out, however narrow it is', () => {
  expect(keysAt(100)).toEqual(['name', 'status', 'created'])
})

test('checkboxes and actions take their room, too', () => {
  const shown = fittingColumns({ columns, hasSelection: true, hasActions: true }, 46 * 16, 16)
  expect(shown.map(({ key }) => key)).toEqual(['name', 'status', 'version', 'created'])
})

test('where a table may be wider than its box, shares of all columns leave the name its room', () => {
  const shared = [
    column('meter', '20%'),
    column('of', '30%'),
    column('used', '9rem'),
    column('source', '18%'),
  ]
  expect(withLengths(shared).map(({ key, width }) => [key, width])).toEqual([
    ['meter', undefined],
    ['of', '12rem'],
    ['used', '9rem'],
    ['source', '8rem'],
  ])
})
