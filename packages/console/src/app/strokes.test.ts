// @vitest-environment node
import { expect, test } from 'vitest'
import { matchStroke, strokeOf } from './strokes.ts'

const commands = [
  { id: 'search', shortcuts: [['Mod+K']] },
  { id: 'home', shortcuts: [['Mod+H'], ['g', 'h']] },
  { id: 'sheet', shortcuts: [['?']] },
  { id: 'out', shortcuts: [['Mod+Shift+Q'], ['g', 'q']] },
]
const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

test('Mod is Ctrl, and the command key on Apple systems', () => {
  expect(strokeOf(press('k', { ctrlKey: true }), false)).toBe('Mod+K')
  expect(strokeOf(press('k', { metaKey: true }), true)).toBe('Mod+K')
  expect(strokeOf(press('k', { ctrlKey: true }), true)).toBeUndefined()
  expect(strokeOf(press('Q', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+Q')
})

test('a sign that needs Shift is that sign, and a modifier alone is nothing', () => {
  expect(strokeOf(press('?', { shiftKey: true }), false)).toBe('?')
  expect(strokeOf(press('Shift', { shiftKey: true }), false)).toBeUndefined()
})

test('one stroke runs its command, two run theirs in turn', () => {
  expect(matchStroke(commands, [], 'Mod+K')).toMatchObject({ kind: 'run', command: { id: 'search' } })
  expect(matchStroke(commands, [], 'g')).toEqual({ kind: 'wait', pressed: ['g'] })
  expect(matchStroke(commands, ['g'], 'h')).toMatchObject({ kind: 'run', command: { id: 'home' } })
})

test('a stroke that leads nowhere starts anew', () => {
  expect(matchStroke(commands, ['g'], 'Mod+K')).toMatchObject({ kind: 'run', command: { id: 'search' } })
  expect(matchStroke(commands, ['g'], 'z')).toEqual({ kind: 'none' })
})
