import { expect, test, vi } from 'vitest'

const made = vi.hoisted(() => [] as unknown[])
vi.mock('fuse.js', () => ({
  default: class {
    constructor(_entries: readonly object[], options: object) {
      made.push(options)
    }
  },
}))

test('the search for misspelt words has the specified threshold, length and weights', async () => {
  await import('./fuzzy-worker.ts')
  expect(made).toEqual([
    {
      threshold: 0.3,
      minMatchCharLength: 2,
      keys: [
        { name: 'title', weight: 0.6 },
        { name: 'description', weight: 0.3 },
        { name: 'category', weight: 0.1 },
      ],
    },
  ])
})
