import { presentActor } from '../../platform/present-actor.ts'
import type { BoardRow, ListedRow } from './store.ts'

/** A board as lists show it. */
export function presentListed(stored: ListedRow) {
  const { createdBy, createdByName, createdByEmail, createdAt, updatedAt, ...row } = stored
  return {
    ...row,
    createdBy: presentActor(createdBy, createdByName, createdByEmail),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** A board with its panels, and who saved it last. */
export function presentBoard({ updatedBy, updatedByName, updatedByEmail, ...row }: BoardRow) {
  const { definition, ...listed } = row
  return {
    ...presentListed(listed),
    definition,
    updatedBy: presentActor(updatedBy, updatedByName, updatedByEmail),
  }
}
