import { expect, test } from 'vitest'

import { causeChaos } from './testing/chaos/chaos.ts'

// The short form of `npm run chaos`.

test(
  'workers and PostgreSQL may end at any moment: nothing is lost, repeated or written twice',
  { timeout: 240_000 },
  async () => {
    const seed = 7
    const figures = await causeChaos({
      durationMs: 120_000,
      endings: 2,
      seed,
      everyMs: 1_000,
      workers: 2,
      // Sandboxes are processes that take longer to start than all the rest.
      graphs: ['wide', 'undone', 'chain', 'outside'],
    })
    const { lost, repeated, twice } = figures
    // As text: a report abbreviates lists, and each violation names its run and step.
    expect([`seed ${seed}`, ...lost, ...repeated, ...twice].join('\n')).toBe(`seed ${seed}`)
    expect(figures.runs).toBeGreaterThan(0)
    expect(figures.workersKilled + figures.databasesKilled).toBeGreaterThan(0)
  },
)
