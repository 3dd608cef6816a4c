/** Where a restore goes: a new database, a copy that may take the place of the database, or one table into the database. */
export const restorePlaces = ['new', 'swap', 'table'] as const
export type RestorePlace = (typeof restorePlaces)[number]
