/** Where the objects of a database are in a store. */
const folder = (organizationId: number, databaseId: string) => `databases/${organizationId}/${databaseId}`

export const backupKey = (organizationId: number, databaseId: string, backupId: string) =>
  `${folder(organizationId, databaseId)}/base/${backupId}.tar.zst`

export const walKey = (organizationId: number, databaseId: string, name: string) =>
  `${folder(organizationId, databaseId)}/wal/${name}.zst`
