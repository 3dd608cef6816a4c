import { expect, test } from 'vitest'

import { killPostmasters } from './testing/postmaster-kills.ts'

test(
  'when PostgreSQL is killed after any request, nothing is stuck, cancelled by nobody or done twice',
  { timeout: 600_000 },
  async () => {
    const { stuck, spurious, repeated } = await killPostmasters({ kills: 15, seed: 7, isDurable: false })
    expect({ stuck, spurious, repeated }).toEqual({ stuck: [], spurious: [], repeated: [] })
  },
)
