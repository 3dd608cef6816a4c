import { median } from './process-figures.ts'
import { report } from './figure.ts'

const rounds = 41

/** Reports how much longer a read of the organization with much takes than that of the one with little. */
export async function compareGrowth(
  name: string,
  { small, large }: { small: () => Promise<unknown>; large: () => Promise<unknown> },
  cause: string,
): Promise<void> {
  const firstMs = await msOf(large)
  const times: { small: number; large: number }[] = []
  // One after the other: a machine may be quick now and slow a minute later.
  for (let round = 0; round < rounds; round += 1) {
    times.push({ small: await msOf(small), large: await msOf(large) })
  }
  const [smallMs, largeMs] = [
    median(times.map((each) => each.small)),
    median(times.map((each) => each.large)),
  ]
  report({
    name,
    value: largeMs / smallMs,
    unit: '×',
    goal: 1.5,
    cause,
    detail: `${largeMs.toFixed(1)} ms, the first time ${firstMs.toFixed(1)} ms`,
  })
}

async function msOf(read: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await read()
  return performance.now() - startedAt
}
