import type { LivePosition } from '@bey/contract'
import { randomBytes } from 'node:crypto'

type Positions = {
  /** How far this process has heard the events of an organization. */
  of: (organizationId: number) => LivePosition
  /** One more event was heard. Returns its position. */
  advance: (organizationId: number) => LivePosition
  /** An object of one of its clusters changed. */
  objectChanged: (organizationId: number) => void
  /** Events of any organization may have been missed. */
  gap: () => void
}

/**
 * Numbers the events of each organization in the order in which PostgreSQL delivers them to this process. What is read
 * after an event was heard has its change in it, for a notification comes after its commit.
 */
export function createPositions(): Positions {
  const epoch = randomBytes(4).toString('hex')
  const counted = new Map<number, { events: number; objects: number }>()
  let gaps = 0

  function countsOf(organizationId: number): { events: number; objects: number } {
    const known = counted.get(organizationId)
    if (known) return known
    const counts = { events: 0, objects: 0 }
    counted.set(organizationId, counts)
    return counts
  }

  function of(organizationId: number): LivePosition {
    const { events = 0, objects = 0 } = counted.get(organizationId) ?? {}
    return `${epoch}.${gaps + events}.${gaps + objects}`
  }

  return {
    of,
    advance(organizationId) {
      countsOf(organizationId).events += 1
      return of(organizationId)
    },
    objectChanged(organizationId) {
      countsOf(organizationId).objects += 1
    },
    gap() {
      gaps += 1
    },
  }
}
