import { realClock } from '../../../../platform/clock.ts'
import { createAddressGuard } from '../../../../platform/outbound/address-guard.ts'
import { createOutbound } from '../../../../platform/outbound/outbound.ts'
import type { StepParts } from '../ports.ts'

const unused = () => Promise.reject(new Error('Steps are only described here'))

/** Parts for types of steps that nobody executes. */
export const describingParts: StepParts = {
  database: { readTenant: unused, withTenant: unused } as unknown as StepParts['database'],
  clock: realClock,
  publish: unused,
  outbound: createOutbound(createAddressGuard({ kind: 'any' })),
  kubernetes: { open: unused },
  clusters: { create: unused, remove: unused, get: unused },
  isMailConfigured: unused,
  openDatabase: unused,
  databaseProofs: { begin: unused, outcome: unused },
  networks: { apply: unused, applied: unused, reach: unused, drift: unused },
  rotateSecret: unused,
}
