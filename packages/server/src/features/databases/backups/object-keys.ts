/** Where the objects of an organization are in a store. */
export const organizationFolder = (organizationId: number) => `databases/${organizationId}/`

/** Where the objects of a database are in a store. */
const folder = (organizationId: number, databaseId: string) =>
  `${organizationFolder(organizationId)}${databaseId}`

export const backupKey = (organizationId: number, databaseId: string, backupId: string) =>
  `${folder(organizationId, databaseId)}/base/${backupId}.tar.zst`

export const walKey = (organizationId: number, databaseId: string, name: string) =>
  `${folder(organizationId, databaseId)}/wal/${name}.zst`
