import { expect, test } from 'vitest'

import { at, givenStep } from '../../../entities/runs/given-run.ts'
import { itemsByLoop, itemsText } from './loop-items.ts'
import { nodeLook } from './node-look.tsx'

const item = (index: number, part: Parameters<typeof givenStep>[1]) =>
  givenStep(`loop[${index}]`, { parentKey: 'loop', ...part })
const loop = givenStep('loop', { status: 'running', startedAt: at(0) })
const steps = [
  givenStep('before', { status: 'succeeded' }),
  loop,
  item(0, { status: 'succeeded' }),
  item(1, { status: 'failed', error: { message: 'No such host' } }),
  item(2, { status: 'running' }),
  item(3, {}),
]

test('the items of a loop are counted by what became of them', () => {
  const items = itemsByLoop(steps).get('loop') ?? []
  expect(items).toHaveLength(4)
  expect(itemsText(items)).toBe('1 of 4 items succeeded, 1 failed, 1 under way')
  expect(itemsText(items.slice(0, 1))).toBe('1 of 1 item succeeded')
  expect(itemsByLoop(steps).has('before')).toBe(false)
})

test('the node of a loop shows its items', () => {
  const look = nodeLook('http', [loop], {}, Date.parse(at(5)), itemsByLoop(steps).get('loop'))
  expect(look).toMatchObject({
    title: 'Loop',
    detail: '1 of 4 items succeeded, 1 failed, 1 under way',
    progressPercent: 50,
  })
  expect(nodeLook('http', [loop], {}, Date.parse(at(5))).detail).toBe('for 5 s')
})
