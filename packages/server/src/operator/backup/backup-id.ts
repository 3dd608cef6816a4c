import { randomBytes } from 'node:crypto'

const pattern = /^bey-\d{8}T\d{6}Z-[0-9a-f]{4}$/

/** Names a backup so that the names of several are in the order of their times. */
export function newBackupId(now: Date): string {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return `bey-${time}-${randomBytes(2).toString('hex')}`
}

export const isBackupId = (text: string) => pattern.test(text)

export const manifestKey = (id: string) => `${id}/manifest.json`
