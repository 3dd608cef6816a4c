import { expect, test } from 'vitest'
import { mergeTexts, nextBase } from './merge-texts.ts'

const base = 'spec:\n  replicas: 2\n  image: web:1\n  memory: 128Mi\n  cpu: 100m\n'

test('what only one side changed is merged, also in neighbouring lines', () => {
  const mine = base.replace('replicas: 2', 'replicas: 4')
  const live = base.replace('image: web:1', 'image: web:2')
  const merge = mergeTexts(base, mine, live)
  expect(merge.conflicts).toEqual([])
  expect(merge.text).toBe('spec:\n  replicas: 4\n  image: web:2\n  memory: 128Mi\n  cpu: 100m\n')
  expect(merge.theirs).toEqual([{ line: 2, count: 1 }])
})

test('what both changed alike is no conflict; what both changed differently is, with mine in the text', () => {
  const mine = base.replace('128Mi', '256Mi').replace('replicas: 2', 'replicas: 3')
  const live = base.replace('128Mi', '192Mi').replace('replicas: 2', 'replicas: 3')
  const { text, conflicts } = mergeTexts(base, mine, live)
  expect(text).toBe(mine)
  expect(conflicts).toMatchObject([
    { line: 3, base: ['  memory: 128Mi'], mine: ['  memory: 256Mi'], theirs: ['  memory: 192Mi'] },
  ])
})

test('lines that were removed on one side and changed on the other are one conflict', () => {
  const { conflicts } = mergeTexts(
    base,
    base.replace('  memory: 128Mi\n', ''),
    base.replace('128Mi', '192Mi'),
  )
  expect(conflicts).toMatchObject([{ mine: [], theirs: ['  memory: 192Mi'] }])
})

test('after another change an answered conflict stays answered, an unanswered one is asked again', () => {
  const mine = base.replace('128Mi', '256Mi').replace('web:1', 'web:mine')
  const live = base.replace('128Mi', '192Mi').replace('web:1', 'web:2')
  const first = mergeTexts(base, mine, live)
  expect(first.conflicts).toHaveLength(1)
  const later = live.replace('100m', '200m')
  // Nothing was answered: the same conflict under the same key.
  const unanswered = mergeTexts(nextBase(live, first.conflicts), first.text, later)
  expect(unanswered.conflicts.map(({ key }) => key)).toEqual(first.conflicts.map(({ key }) => key))
  expect(unanswered.text).toContain('200m')
  // Answered with mine: merged without asking.
  const answered = mergeTexts(nextBase(live, []), first.text, later)
  expect(answered.conflicts).toEqual([])
  expect(answered.text).toContain('256Mi')
  // Changed once more at the same place: a new question.
  const again = mergeTexts(nextBase(live, []), first.text, live.replace('192Mi', '512Mi'))
  expect(again.conflicts).toHaveLength(1)
})
