// @vitest-environment node
import { expect, test } from 'vitest'
import { avatarCells, hashOf } from './avatar.tsx'

test('the same address gives the same picture, however it is written', () => {
  expect(avatarCells('ada@example.com')).toEqual(avatarCells(' Ada@Example.com '))
  expect(hashOf('ada@example.com')).toBe(hashOf('ada@example.com'))
})

test('other addresses give other pictures', () => {
  const pictures = new Set(
    Array.from({ length: 50 }, (_, index) => avatarCells(`user${index}@example.com`).map(Number).join('')),
  )
  expect(pictures.size).toBeGreaterThan(45)
})

test('a picture is symmetrical and never wholly one colour', () => {
  for (const email of ['ada@example.com', 'grace@example.com', '', 'x']) {
    const cells = avatarCells(email)
    for (let row = 0; row < 5; row++) {
      const line = cells.slice(row * 5, row * 5 + 5)
      expect(line).toEqual([...line].reverse())
    }
    expect(cells).toContain(true)
    expect(cells).toContain(false)
  }
})
