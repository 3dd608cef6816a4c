import { expect, test } from 'vitest'
import { addressCells, heldIn } from './address-cells.ts'

const at = (...addresses: string[]) => addresses.map((address) => ({ address }))

test('a /16 has a cell for each /24, filled by what is held in it', () => {
  const { cells, size, rows } = addressCells(
    '10.42.0.0/16',
    [{ cidr: '10.42.0.0/23' }],
    at('10.42.0.1', '10.42.0.1', '10.42.255.9', '10.43.0.1'),
  )
  expect([cells.length, size, rows]).toEqual([256, 256n, 16])
  expect(cells[0]).toMatchObject({ held: 1, ticks: 1, subnet: 0 })
  expect(cells[1]).toMatchObject({ held: 0, ticks: 0, subnet: 0 })
  expect(cells[2]?.subnet).toBeUndefined()
  expect(cells[255]?.held).toBe(1)
})

test('a small network has a cell for each address, a huge one no more than 256', () => {
  expect(addressCells('10.0.0.0/29', [], []).cells).toHaveLength(8)
  expect(addressCells('10.0.0.0/8', [], []).cells).toHaveLength(256)
  expect(addressCells('fd42::/48', [], at('fd42::1')).cells[0]?.held).toBe(1)
})

test('a full cell has all its ticks', () => {
  const all = Array.from({ length: 256 }, (_, index) => `10.42.7.${index}`)
  expect(addressCells('10.42.0.0/16', [], at(...all)).cells[7]?.ticks).toBe(10)
  expect(heldIn('10.42.7.0/25', at(...all))).toBe(128)
})
