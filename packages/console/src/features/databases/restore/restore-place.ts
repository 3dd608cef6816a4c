/** Where a restore goes: a new database, or a copy that may take the place of the database. */
export const restorePlaces = ['new', 'swap'] as const
export type RestorePlace = (typeof restorePlaces)[number]
