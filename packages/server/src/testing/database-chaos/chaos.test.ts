import { expect, test } from 'vitest'

import { causeDatabaseChaos } from './chaos.ts'

// `npm run chaos:databases` kills hundreds of times, at everything that is done with databases.
test('Bey and servers that are killed during backups lose no row, and no half backup is called complete', async () => {
  const figures = await causeDatabaseChaos({ kills: 2, seed: 3, acts: ['backup'] })
  expect(figures.kills).toBeGreaterThanOrEqual(2)
  expect(figures.acknowledged).toBeGreaterThan(0)
  const { lost, notRestorable, unended, wrong } = figures
  expect({ lost, notRestorable, unended, wrong }).toEqual({
    lost: [],
    notRestorable: [],
    unended: [],
    wrong: [],
  })
}, 600_000)
